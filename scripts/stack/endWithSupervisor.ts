/**
 * Loaded into every process of a stack before its program. A killed supervisor cannot stop its processes, but its end
 * of the IPC channel closes, and they drain.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
