export const createPolhodePanel = () => null;
