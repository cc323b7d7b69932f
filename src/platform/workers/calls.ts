/** What two processes send each other. */
type Message =
  | { call: number; name: string; input: unknown }
  | { reply: number; result?: unknown; error?: string }

export type Handlers = Readonly<Record<string, (input: never) => unknown>>

/** Calls functions of another process, over a channel that keeps the order of messages. */
export interface Calls {
  /** @throws Error with the message of the one that was thrown there, or once the channel closed */
  call(name: string, input?: unknown): Promise<unknown>
  receive(message: unknown): void
  /** Rejects what was not answered, and receives nothing more. */
  close(): void
}

/**
 * A handler that returns no promise is answered before the next message is read.
 *
 * @param send throws where the other process has ended
 */
export function createCalls(send: (message: Message) => void, handlers: Handlers): Calls {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  let isClosed = false

  function answer(call: number, name: string, input: unknown): void {
    const reply = (content: object) => {
      if (!isClosed) trySending({ reply: call, ...content })
    }
    const fail = (err: unknown) => reply({ error: err instanceof Error ? err.message : 'failed' })
    try {
      const result = handlers[name]!(input as never)
      if (result instanceof Promise) result.then((settled) => reply({ result: settled }), fail)
      else reply({ result })
    } catch (err) {
      fail(err)
    }
  }

  /** False if the other process has ended, which each side also notices by itself. */
  function trySending(message: Message): boolean {
    try {
      send(message)
      return true
    } catch {
      return false
    }
  }

  return {
    call(name, input) {
      const pending = Promise.withResolvers<unknown>()
      const call = ++calls
      if (isClosed || !trySending({ call, name, input })) pending.reject(new ProcessEnded())
      else waiting.set(call, pending)
      return pending.promise
    },
    receive(received) {
      if (isClosed) return
      const message = received as Message
      if ('call' in message) return answer(message.call, message.name, message.input)
      const pending = waiting.get(message.reply)
      waiting.delete(message.reply)
      if (message.error === undefined) pending?.resolve(message.result)
      else pending?.reject(new Error(message.error))
    },
    close() {
      isClosed = true
      for (const pending of waiting.values()) pending.reject(new ProcessEnded())
      waiting.clear()
    },
  }
}

export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  constructor() {
    super('The other process has ended')
  }
}
