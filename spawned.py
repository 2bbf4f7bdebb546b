import sys, multiprocessing; sys.path.insert(0, sys.argv[1]); from test_threads import in_process
if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(2) as pool:
        sys.stdout.buffer.write(b''.join(pool.map(in_process, range(4))))
