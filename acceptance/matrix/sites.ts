/** The two servers that pages of the matrix are on: without origins of their own, and with. */
import { type Outbox, outboxOf } from '../gates/mail.ts'
import { type MailedOwner, newOwner } from '../gates/setup.ts'
import { freshEnvironment, start } from '../start.ts'

export interface Site {
  readonly owner: MailedOwner
  readonly outbox: Outbox
  /** Runs one thing after another that waits for a mail to the same address. */
  inTurn<T>(email: string, run: () => Promise<T>): Promise<T>
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
  await start(env)
  const last = new Map<string, Promise<unknown>>()
  return {
    owner: await newOwner(env),
    outbox: outboxOf(env.DATA_DIR!),
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
