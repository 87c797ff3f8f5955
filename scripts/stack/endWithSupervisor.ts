/**
 * Loaded into every process of a stack before its program. A supervisor that is killed cannot take its processes along;
 * its end of the channel closes, though, and they drain by themselves.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
