import { parentPort } from 'node:worker_threads'
import { Refusal, type RefusalFields } from '../model/errors.ts'

/**
 * Functions of one argument, which may be asynchronous, such as to load rarely needed modules.
 * Arguments and results must be values that `structuredClone` can copy.
 */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

/** The answer of a thread to a task. Errors lose their class in the message. */
export type TaskReply =
  | { result: unknown }
  | { refusal: RefusalFields }
  | { error: { message: string; stack: string | undefined } }

/**
 * After a task with a larger input, garbage is collected at once: it is several times as large, and
 * would otherwise stay in memory for long.
 */
const LARGE_BYTES = 8 * 1024 * 1024

/** Runs the tasks that `createThreads` sends to this thread, one after the other. */
export function serveTasks(tasks: Tasks): void {
  parentPort!.on('message', async ({ task, input }: { task: string; input: never }) => {
    const isLarge = sizeOf(buffersIn(input)) > LARGE_BYTES
    await reply(async () => tasks[task]!(input))
    if (isLarge) collectGarbage()
  })
}

async function reply(run: () => Promise<unknown>): Promise<void> {
  const message = await replyOf(run)
  parentPort!.postMessage(message, 'result' in message ? buffersIn(message.result) : [])
}

function sizeOf(buffers: readonly ArrayBuffer[]): number {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

async function replyOf(run: () => Promise<unknown>): Promise<TaskReply> {
  try {
    return { result: await run() }
  } catch (err) {
    if (err instanceof Refusal) {
      const { kind, code, message, details } = err
      return { refusal: { kind, code, message, details } }
    }
    const { message, stack } = err as Error
    return { error: { message, stack } }
  }
}

/** The buffers of byte arrays directly in a value, to be moved, except for parts of a buffer. */
function buffersIn(value: unknown): ArrayBuffer[] {
  const members = typeof value === 'object' && value !== null ? Object.values(value) : []
  return members.flatMap((member) => {
    const isWhole = member instanceof Uint8Array && member.byteLength === member.buffer.byteLength
    return isWhole ? [member.buffer as ArrayBuffer] : []
  })
}

/**
 * Runs a garbage collection. Only for threads that work on large content: it takes some
 * milliseconds. By itself the runtime lets garbage grow to twice the size of the memory in use.
 */
export function collectGarbage(): void {
  Bun.gc(true)
}
