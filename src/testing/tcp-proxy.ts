import { randomBytes } from 'node:crypto'
import { createServer, connect as open, type Server, type Socket } from 'node:net'

/** A connection through the proxy. */
interface Passage {
  client: Socket
  target: Socket
  /** The end of what the client sent. */
  sent: string
  isHanging: boolean
}

/** The fault of every seventh answer, so that most connections make progress. */
type WrongAnswer =
  /** The answer is lost after the work was done, and the connection ends. */
  | 'lost'
  /** The answer is replaced by random bytes. */
  | 'garbage'
const WRONG_EVERY = 7

/**
 * A proxy between a client and a server on 127.0.0.1 that simulates faults of networks and servers.
 */
export async function startTcpProxy(targetPort: number) {
  const passages = new Set<Passage>()
  let hangsNew = false
  let wrongAnswer: WrongAnswer | null = null
  let answers = 0
  let server = await listen(0)
  const { port } = server.address() as { port: number }

  async function listen(at: number): Promise<Server> {
    const made = createServer(pass)
    await new Promise<void>((resolve) => made.listen(at, '127.0.0.1', resolve))
    return made
  }
  function pass(client: Socket): void {
    const target = open(targetPort, '127.0.0.1')
    const passage: Passage = { client, target, sent: '', isHanging: hangsNew }
    passages.add(passage)
    client.on('data', (bytes) => {
      passage.sent = (passage.sent + bytes.toString('latin1')).slice(-10_000)
      if (!passage.isHanging) target.write(bytes)
    })
    target.on('data', (bytes) => {
      answers += 1
      if (passage.isHanging) return
      if (wrongAnswer === null || answers % WRONG_EVERY !== 0) client.write(bytes)
      else if (wrongAnswer === 'garbage') client.write(randomBytes(bytes.length))
      else client.destroy()
    })
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        other.destroy()
        passages.delete(passage)
      })
    }
  }
  function endAll(): void {
    for (const { client, target } of passages) {
      client.destroy()
      target.destroy()
    }
  }

  return {
    port,
    /** Takes connections and bytes, and answers nothing: neither on these nor on new ones. */
    hang(): void {
      hangsNew = true
      for (const passage of passages) passage.isHanging = true
    },
    /**
     * The connections on which the client sent a word get no more answers.
     *
     * @returns how many there are
     */
    hangThose(word: string): number {
      const results = [...passages].filter(({ sent }) => sent.includes(word))
      for (const passage of results) passage.isHanging = true
      return results.length
    },
    /** Answers wrongly from now on; null: passes answers through. */
    answerWrongly(as: WrongAnswer | null): void {
      wrongAnswer = as
    },
    /** Ends all connections and refuses new ones. */
    async refuse(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      endAll()
      await closed
    },
    /** Passes new connections on again. Those that hang stay so. */
    async resume(): Promise<void> {
      hangsNew = false
      wrongAnswer = null
      if (!server.listening) server = await listen(port)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      endAll()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
