import type { LaunchWorker } from './pool.ts'

/**
 * Starts this program again, connected to this process by a channel.
 *
 * @param env for the program
 * @param command that makes it a worker
 */
export function createLauncher(
  env: Record<string, string | undefined>,
  command: string,
): LaunchWorker {
  // In the executable, the program is no argument.
  const program = Bun.main.startsWith('/$bunfs/') ? [] : [...process.execArgv, Bun.main]
  return (onMessage, onExit) => {
    const child = Bun.spawn([process.execPath, ...program, command], {
      // As many requests as come are forwarded at once.
      env: { ...env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' },
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'advanced',
      ipc: onMessage,
      onExit: (_, code, signal) => onExit(String(signal ?? code)),
    })
    return {
      pid: child.pid,
      send: (message) => void child.send(message),
      kill: () => child.kill('SIGKILL'),
    }
  }
}
