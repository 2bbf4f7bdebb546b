/* SPDX-License-Identifier: BSD-3-Clause */
/* A bad disk under SQLite (disk.h). Files are where they always are; for each the model records what was
 * flushed, and what was written since. A flush takes no time: it is not passed to the real disk. */
#include "disk.h"

#include <dirent.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, NAMES = 300 };

/* ---- What has been flushed ------------------------------------------------------------------------- */

/* Bytes at an offset, or, with none, a new length. */
typedef struct change {
    size_t offset, n;
    unsigned char *bytes;
} change;

typedef struct content {
    unsigned char *bytes;
    size_t size;
} content;

/* A file by its inode; by its name when it was deleted and the directory not flushed. */
typedef struct model {
    ino_t inode;
    bool deleted, flushed; /* flushed: once at least, so that its name is on the disk */
    bool log;              /* SQLite flushes the directory with the first flush of such a file */
    char name[NAMES];
    content safe;
    change *changes;
    size_t n;
    struct model *next;
} model;

static model *models;

static void apply(content *c, const change *what, size_t from, size_t n)
{
    const size_t end = what->bytes ? what->offset + from + n : what->offset;
    if (end > c->size || !what->bytes) {
        c->bytes = realloc(c->bytes, end + 1);
        if (end > c->size)
            memset(c->bytes + c->size, 0, end - c->size);
        c->size = end;
    }
    if (what->bytes)
        memcpy(c->bytes + what->offset + from, what->bytes + from, n);
}

static void forget_changes(model *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->changes[i].bytes);
    m->n = 0;
}

static void note(model *m, size_t offset, const void *bytes, size_t n)
{
    m->changes = realloc(m->changes, (m->n + 1) * sizeof *m->changes);
    m->changes[m->n++] = (change){offset, n, bytes ? memcpy(malloc(n + 1), bytes, n) : NULL};
}

static model *find(ino_t inode)
{
    model *m = models;
    while (m && (m->deleted || m->inode != inode))
        m = m->next;
    return m;
}

static void drop(model *which)
{
    model **at = &models;
    while (*at != which)
        at = &(*at)->next;
    *at = which->next;
    forget_changes(which);
    free(which->changes);
    free(which->safe.bytes);
    free(which);
}

void disk_forget(void)
{
    while (models)
        drop(models);
}

static void flush_directory(void)
{
    for (model *m = models, *next; m; m = next) {
        next = m->next;
        if (m->deleted)
            drop(m);
    }
}

static void flush(model *m)
{
    for (size_t i = 0; i < m->n; i++)
        apply(&m->safe, &m->changes[i], 0, m->changes[i].n);
    forget_changes(m);
    if (m->log && !m->flushed)
        flush_directory();
    m->flushed = true;
}

static content read_file(const char *name)
{
    struct stat s;
    FILE *f = fopen(name, "rb");
    ck_assert(f && !fstat(fileno(f), &s));
    content c = {malloc((size_t)s.st_size + 1), (size_t)s.st_size};
    ck_assert_uint_eq(fread(c.bytes, 1, c.size, f), c.size);
    fclose(f);
    return c;
}

/* The model of an open file: one that is empty is new; what was there before is on the disk. */
static model *model_of(const char *name)
{
    struct stat s;
    if (stat(name, &s))
        return NULL;
    model *m = find(s.st_ino);
    if (m && !s.st_size && !m->n && !m->safe.size) /* still new, or another of that inode */
        return m;
    if (m && !s.st_size) {
        drop(m);
        m = NULL;
    }
    if (m)
        return m;
    m = calloc(1, sizeof *m);
    m->inode = s.st_ino;
    m->flushed = s.st_size != 0;
    m->next = models;
    models = m;
    if (s.st_size)
        m->safe = read_file(name);
    return m;
}

/* ---- Failures -------------------------------------------------------------------------------------- */

static struct {
    long n, at;
    bool forever, full;
    void (*before)(void);
} now;

void disk_fail(long n, bool forever, bool full)
{
    now.n = 0;
    now.at = n;
    now.forever = forever;
    now.full = full;
}

long disk_operations(void)
{
    return now.n;
}

void disk_watch(void (*before)(void))
{
    now.before = before;
}

static bool fails(void)
{
    now.n++;
    return now.at && (now.forever ? now.n >= now.at : now.n == now.at);
}

static bool change_fails(void)
{
    if (now.before)
        now.before();
    return fails();
}

/* ---- A file ---------------------------------------------------------------------------------------- */

typedef struct file {
    sqlite3_file base;
    model *model; /* NULL: of a file that nobody can find again */
    sqlite3_file *real;
} file;

static sqlite3_vfs *below;

static sqlite3_file *real(sqlite3_file *f)
{
    return ((file *)f)->real;
}

static int file_close(sqlite3_file *f)
{
    sqlite3_file *r = real(f);
    return r->pMethods ? r->pMethods->xClose(r) : SQLITE_OK;
}

static int file_read(sqlite3_file *f, void *to, int n, sqlite3_int64 offset)
{
    return fails() ? SQLITE_IOERR_READ : real(f)->pMethods->xRead(real(f), to, n, offset);
}

static int file_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 offset)
{
    model *m = ((file *)f)->model;
    const bool bad = change_fails();
    const int some = bad ? n / 2 : n; /* a disk that is full may take a part */
    const int code = some ? real(f)->pMethods->xWrite(real(f), from, some, offset) : SQLITE_OK;
    if (m && some)
        note(m, (size_t)offset, from, (size_t)some);
    return bad ? now.full ? SQLITE_FULL : SQLITE_IOERR_WRITE : code;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    model *m = ((file *)f)->model;
    if (change_fails())
        return SQLITE_IOERR_TRUNCATE;
    if (m)
        note(m, (size_t)size, NULL, 0);
    return real(f)->pMethods->xTruncate(real(f), size);
}

static int file_sync(sqlite3_file *f, int flags)
{
    (void)flags;
    if (change_fails())
        return SQLITE_IOERR_FSYNC;
    if (((file *)f)->model)
        flush(((file *)f)->model);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return real(f)->pMethods->xFileSize(real(f), size);
}

static int file_lock(sqlite3_file *f, int lock)
{
    return real(f)->pMethods->xLock(real(f), lock);
}

static int file_unlock(sqlite3_file *f, int lock)
{
    return real(f)->pMethods->xUnlock(real(f), lock);
}

static int file_reserved(sqlite3_file *f, int *result)
{
    return real(f)->pMethods->xCheckReservedLock(real(f), result);
}

static int file_control(sqlite3_file *f, int what, void *argument)
{
    return real(f)->pMethods->xFileControl(real(f), what, argument);
}

static int file_sector(sqlite3_file *f)
{
    return real(f)->pMethods->xSectorSize(real(f));
}

static int file_kind(sqlite3_file *f)
{
    return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int file_share(sqlite3_file *f, int page, int size, int extend, void volatile **memory)
{
    return fails() ? SQLITE_IOERR_SHMMAP : real(f)->pMethods->xShmMap(real(f), page, size, extend, memory);
}

static int file_share_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void file_barrier(sqlite3_file *f)
{
    real(f)->pMethods->xShmBarrier(real(f));
}

static int file_unshare(sqlite3_file *f, int forget)
{
    return real(f)->pMethods->xShmUnmap(real(f), forget);
}

static const sqlite3_io_methods methods = {
    2,         file_close, file_read,       file_write,    file_truncate, file_sync,
    file_size, file_lock,  file_unlock,     file_reserved, file_control,  file_sector,
    file_kind, file_share, file_share_lock, file_barrier,  file_unshare,  NULL,
    NULL};

/* ---- The disk -------------------------------------------------------------------------------------- */

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
    file *mine = (file *)f;
    (void)vfs;
    *mine = (file){.real = (sqlite3_file *)(mine + 1)};
    if (fails())
        return SQLITE_CANTOPEN;
    const int code = below->xOpen(below, name, mine->real, flags, out);
    if (mine->real->pMethods)
        mine->base.pMethods = &methods;
    if (!code && name)
        mine->model = model_of(name);
    if (mine->model)
        mine->model->log = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int flushed)
{
    struct stat s;
    (void)vfs;
    if (change_fails())
        return SQLITE_IOERR_DELETE;
    model *m = stat(name, &s) ? NULL : find(s.st_ino);
    if (m) {
        const char *slash = strrchr(name, '/');
        m->deleted = true;
        snprintf(m->name, sizeof m->name, "%s", slash ? slash + 1 : name);
    }
    if (flushed)
        flush_directory();
    return below->xDelete(below, name, 0);
}

static sqlite3_vfs disk;

void disk_attach(void)
{
    below = sqlite3_vfs_find(NULL);
    disk = *below;
    disk.zName = "bad-disk";
    disk.szOsFile = (int)sizeof(file) + below->szOsFile;
    disk.xOpen = disk_open;
    disk.xDelete = disk_delete;
    disk_fail(0, false, false);
    disk_watch(NULL);
    ck_assert_int_eq(sqlite3_vfs_register(&disk, 1), SQLITE_OK);
}

void disk_detach(void)
{
    sqlite3_vfs_unregister(&disk);
    sqlite3_vfs_register(below, 1);
    disk_forget();
}

/* ---- Cutting the power ----------------------------------------------------------------------------- */

struct disk_image {
    char name[NAMES];
    content content;
    disk_image *next;
};

static void add(disk_image **image, const char *name, content c)
{
    disk_image *one = calloc(1, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", name);
    one->content = c;
    one->next = *image;
    *image = one;
}

/* What was flushed, and since then all, nothing, or any changes, sector by sector. */
static content remains(const model *m, tk_random *r)
{
    content c = {malloc(m->safe.size + 1), m->safe.size};
    const double part = floor(tk_uniform(r, 0, 3)) / 2; /* 0, 1/2, 1 */
    memcpy(c.bytes, m->safe.bytes ? m->safe.bytes : (const unsigned char *)"", m->safe.size);
    for (size_t i = 0; i < m->n; i++) {
        const change *w = &m->changes[i];
        for (size_t from = 0; from < w->n || (!from && !w->bytes); from += SECTOR)
            if (tk_uniform(r, 0, 1) < part)
                apply(&c, w, from, w->n - from < SECTOR ? w->n - from : SECTOR);
    }
    return c;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcmp(name + n - m, end);
}

disk_image *disk_cut(const char *folder, tk_random *r)
{
    disk_image *image = NULL;
    char path[2 * NAMES];
    struct stat s;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (stat(path, &s) || !S_ISREG(s.st_mode) || ends_with(e->d_name, "-shm")) /* that is memory */
            continue;
        const model *m = find(s.st_ino);
        if (m && !m->flushed && tk_uniform(r, 0, 1) < 0.5) /* the name itself was not on the disk */
            continue;
        add(&image, e->d_name, m ? remains(m, r) : read_file(path));
    }
    closedir(d);
    for (const model *m = models; m; m = m->next) {
        bool again = false; /* created again under the name */
        for (const disk_image *i = image; i; i = i->next)
            again = again || !strcmp(i->name, m->name);
        if (m->deleted && !again && tk_uniform(r, 0, 1) < 0.5)
            add(&image, m->name, remains(m, r));
    }
    return image;
}

void disk_put(const disk_image *image, const char *folder)
{
    char path[2 * NAMES];
    for (; image; image = image->next) {
        snprintf(path, sizeof path, "%s/%s", folder, image->name);
        FILE *f = fopen(path, "wb");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(image->content.bytes, 1, image->content.size, f), image->content.size);
        ck_assert_int_eq(fclose(f), 0);
    }
}

void disk_free(disk_image *image)
{
    while (image) {
        disk_image *next = image->next;
        free(image->content.bytes);
        free(image);
        image = next;
    }
}
