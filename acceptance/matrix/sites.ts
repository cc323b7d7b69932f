/** The two servers that pages of the matrix are on: without origins of their own, and with. */
import { Webhook } from 'standardwebhooks'
import { localHttpsServer } from '../../src/platform/fetch/testing/index.ts'
import { dataOf } from '../client.ts'
import { type Outbox, outboxOf } from '../gates/mail.ts'
import { type MailedOwner, newOwner } from '../gates/setup.ts'
import { freshEnvironment, start } from '../start.ts'

/** An event as feedback has it. */
export interface Heard {
  readonly id: string
  readonly type: string
  readonly page_id: string
}

export interface Site {
  readonly owner: MailedOwner
  /** What its webhook has brought so far, with true signatures: each event once. */
  received(): Heard[]
  readonly outbox: Outbox
  /** Runs one thing after another that waits for a mail to the same address. */
  inTurn<T>(email: string, run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
export type Sites = Record<'sandbox' | 'origins', Site>

export async function startSites(): Promise<Sites> {
  const fresh = freshEnvironment()
  const own = {
    BASE_URL: `http://localhost:${fresh.PORT}`,
    CONTENT_URL: `http://{page}.localhost:${fresh.PORT}`,
  }
  const all = [
    startSite({ ...freshEnvironment(), CONTENT_URL: 'off' }),
    startSite({ ...fresh, ...own }),
  ]
  const [sandbox, origins] = await Promise.all(all)
  return { sandbox: sandbox!, origins: origins! }
}

async function startSite(env: Record<string, string>): Promise<Site> {
  const deliveries = new Map<string, Heard>()
  let verifier: Webhook | undefined
  const receiver = await localHttpsServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    const headers = request.headers as Record<string, string>
    const { data } = verifier!.verify(body, headers) as { data: Heard }
    deliveries.set(headers['webhook-id']!, data)
    response.end()
  })
  const hosts = { FETCH_ALLOWED_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS: receiver.caFile }
  await start({ ...env, ...hosts })
  const owner = await newOwner(env)
  const hook = await owner.call('POST', '/webhooks', { url: receiver.url })
  verifier = new Webhook(dataOf<{ secret: string }>(hook, 201).secret)
  const last = new Map<string, Promise<unknown>>()
  return {
    owner,
    outbox: outboxOf(env.DATA_DIR!),
    received: () => [...deliveries.values()],
    close: receiver.close,
    inTurn(email, run) {
      const turn = (last.get(email) ?? Promise.resolve()).then(run)
      last.set(
        email,
        turn.catch(() => {}),
      )
      return turn
    },
  }
}
