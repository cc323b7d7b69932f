/** Servers on both engines, and pages of every kind with comments, a poll and approvals. */
import { freshDatabase } from '../src/testing/postgres.ts'
import { dataOf, type Fields, type Page, send } from './client.ts'
import { outboxOf } from './gates/mail.ts'
import { newEmail, newOwner } from './gates/setup.ts'
import { base64, html, pdf, png, word } from './material.ts'
import { freshEnvironment, start } from './start.ts'

export const ENGINES = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof ENGINES)[number]

export interface Kind {
  readonly name: string
  content(): Fields
  /** Where the viewer opens the page; the others open its start. */
  readonly viewerPath: string
  /** The file that the viewer's comment belongs to. */
  readonly commentPath: string
}

export const KINDS: readonly Kind[] = [
  {
    name: 'a single page',
    content: () => ({ html: html('The plan', word('title')) }),
    viewerPath: '',
    commentPath: '',
  },
  {
    name: 'a deck',
    content: () => ({
      files: ['index.html', 'costs.html'].map((path) => ({
        path,
        html: html(path, word('title')),
      })),
    }),
    viewerPath: '/costs.html',
    commentPath: 'costs.html',
  },
  {
    name: 'a PDF',
    content: () => ({ file_base64: base64(pdf()), filename: `${word('plan')}.pdf` }),
    viewerPath: '',
    commentPath: '',
  },
  {
    name: 'an image',
    content: () => ({ file_base64: base64(png()), filename: `${word('plan')}.png` }),
    viewerPath: '',
    commentPath: '',
  },
]

export interface Discussed {
  readonly page: Page
  readonly ownerEmail: string
  readonly approverEmail: string
  /** What the owner reads by the API: `comments`, `poll` or `approvals`. */
  read<T>(what: string): Promise<T>
  /** Mails the approver, as the owner. */
  askApprover(): Promise<void>
}

export interface Site {
  readonly outbox: ReturnType<typeof outboxOf>
  readonly signInUrl: string
  /** Publishes a page with all three conversations, of an owner of its own. */
  publish(content: Fields): Promise<Discussed>
  stop(): Promise<void>
}

/** Starts a server in a new data folder. */
export async function startSite(engine: Engine): Promise<Site> {
  const env = freshEnvironment()
  const database = engine === 'PostgreSQL' ? await freshDatabase() : null
  if (database !== null) env.DATABASE_URL = database.url
  const running = await start(env)

  return {
    outbox: outboxOf(env.DATA_DIR!),
    signInUrl: `${env.BASE_URL}/app/sign-in`,
    async publish(content) {
      const { key, email: ownerEmail } = await newOwner(env)
      const approverEmail = newEmail('approver')
      const call = (method: string, path: string, body?: Fields) =>
        send(`${env.BASE_URL}/api/v1/pages${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
      const settings = conversations(approverEmail)
      const page = dataOf<Page>(await call('POST', '', { ...content, ...settings }), 201)
      const read = async <T>(what: string) => dataOf<T>(await call('GET', `/${page.id}/${what}`))
      const askApprover = async () => {
        await call('POST', `/${page.id}/approvals/requests`, {})
      }
      return { page, ownerEmail, approverEmail, read, askApprover }
    },
    async stop() {
      await running.stop()
      await database?.drop()
    },
  }
}

/** The settings of a page with all three conversations. */
export function conversations(approverEmail: string): Fields {
  return {
    allow_comments: true,
    collect_votes: true,
    poll_question: 'When do we start?',
    poll_options: ['May', 'June'],
    collect_approvals: true,
    approver_emails: [approverEmail],
  }
}
