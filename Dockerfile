# SPDX-License-Identifier: BSD-3-Clause
# Polhode on Debian 12: built and installed in one image, which runs in another that has no compiler.
#     docker build -t polhode .
#     docker run --rm -v "$PWD:/work" polhode run chain.yaml
FROM debian:12 AS build
RUN apt-get update -q && apt-get install -y -q --no-install-recommends \
    gcc g++ make autoconf automake libtool pkg-config help2man groff-base \
    liblapack-dev libblas-dev libyaml-dev libsqlite3-dev libdeflate-dev zlib1g-dev libjson-c-dev \
    libsundials-dev libsuitesparse-dev libarchive-dev libhdf5-dev
COPY . /source
RUN cd /source && autoreconf -fi && mkdir /build && cd /build && \
    /source/configure && make -j"$(nproc)" && make install DESTDIR=/installed

FROM debian:12
RUN apt-get update -q && apt-get install -y -q --no-install-recommends \
    liblapack3 libblas3 libyaml-0-2 libsqlite3-0 libdeflate0 libjson-c5 \
    libsundials-arkode5 libsundials-cvode6 libsundials-nvecserial6 libsundials-sunlinsol3 \
    libsundials-sunmatrix4 libamd2 libarchive13 libhdf5-103-1 gnuplot-nox && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /
RUN ldconfig && polhode --version
WORKDIR /work
ENTRYPOINT ["polhode"]
