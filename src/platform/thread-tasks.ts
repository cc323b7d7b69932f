import { parentPort } from 'node:worker_threads'
import { Refusal, type RefusalFields } from '../model/errors.ts'

/** Functions of one argument. Arguments and results are what `structuredClone` copies. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

/** What a thread answers to a task: errors lose their class on the way. */
export type TaskReply =
  | { result: unknown }
  | { refusal: RefusalFields }
  | { error: { message: string; stack: string | undefined } }

/** Runs the tasks that `createThreads` sends to this thread, one after the other. */
export function serveTasks(tasks: Tasks): void {
  parentPort!.on('message', ({ task, input }: { task: string; input: never }) => {
    const reply = replyOf(() => tasks[task]!(input))
    parentPort!.postMessage(reply, 'result' in reply ? buffersIn(reply.result) : [])
  })
}

function replyOf(run: () => unknown): TaskReply {
  try {
    return { result: run() }
  } catch (err) {
    if (err instanceof Refusal) {
      const { kind, code, message, details } = err
      return { refusal: { kind, code, message, details } }
    }
    const { message, stack } = err as Error
    return { error: { message, stack } }
  }
}

/** The buffers of byte arrays directly in a result, to be moved, except for parts of a buffer. */
function buffersIn(result: unknown): ArrayBuffer[] {
  const members = typeof result === 'object' && result !== null ? Object.values(result) : []
  return members.flatMap((member) => {
    const isWhole = member instanceof Uint8Array && member.byteLength === member.buffer.byteLength
    return isWhole ? [member.buffer as ArrayBuffer] : []
  })
}
