import { z } from 'zod'
import type { Conversation, ConversationId, PanelData } from '../../model/conversation.ts'
import { limitsOf, visitorContractsOf, visitorOperationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Participant } from '../../model/viewer.ts'
import { createServer } from '../../server.ts'
import { BASE_URL, type TestApp } from '../app.ts'
import type { Browser } from '../browser.ts'
import { freePort } from '../free-port.ts'
import { NO_ASSETS } from '../no-assets.ts'
import { withOwnMetrics } from '../node.ts'
import { BROWSER } from '../visitor.ts'

/** A write of a test's conversation: a note that is kept in memory. */
const writeNote = visitorContractsOf('participant', {
  maxBytes: 4096,
  tooLarge: 'This is more than a note.',
})({
  summary: 'Write a note.',
  http: { method: 'POST', path: '/~/notes', status: 201 },
  limits: limitsOf('note', { address: 50, viewer: 20 }),
  input: z.strictObject({ text: z.string().max(100) }),
  output: z.object({ data: z.object({ by: z.string(), kind: z.string(), path: z.string() }) }),
  errors: ['closed'],
})

/** Its read, which answers no state where nothing has changed. */
const readNotes = visitorContractsOf('participant', {
  maxBytes: 4096,
  tooLarge: 'This is more than a question.',
})({
  summary: 'Read the notes.',
  http: { method: 'POST', path: '/~/notes/read', status: 200 },
  limits: null,
  input: z.strictObject({ known: z.int().nullable() }),
  output: z.object({
    data: z.object({
      version: z.int(),
      state: z.object({ notes: z.array(z.string()) }).nullable(),
    }),
  }),
  errors: [],
})

export interface Note {
  text: string
  participant: Participant
  path: string
  manifestId: string | null
}

const SETTING = {
  comments: 'allow_comments',
  poll: 'collect_votes',
  approval: 'collect_approvals',
} as const satisfies Record<ConversationId, keyof Page['settings']>

/** A server whose conversations are of the test: each shows the notes that were written. */
export function withNotes(app: TestApp, assets = NO_ASSETS) {
  const notes: Note[] = []
  const counted: ConversationId[] = []
  const conversationOf = (id: ConversationId): Conversation => ({
    id,
    isOn: ({ settings }) => settings[SETTING[id]],
    async count() {
      counted.push(id)
      return id === 'comments' ? notes.length : null
    },
  })
  const operations = visitorOperationsOf(
    { writeNote, readNotes },
    {
      writeNote: async ({ participant, source }, { text }) => {
        const { path, manifestId } = source
        notes.push({ text, participant, path, manifestId })
        const { alias, kind } = participant
        return { by: alias, kind, path, email: participant.email }
      },
      readNotes: async (_subject, { known }) => ({
        version: notes.length,
        state: known === notes.length ? null : { notes: notes.map(({ text }) => text) },
      }),
    },
  )
  const server = createServer(
    withOwnMetrics(app.platform),
    {
      ...app,
      visitorOperations: [...app.visitorOperations, ...operations],
      conversations: (['comments', 'poll', 'approval'] as const).map(conversationOf),
    },
    { assets },
  )
  return { ...server, notes, counted }
}

/** A port and the address of a server that a real browser can open. */
export function localAddress(): { port: number; baseUrl: string } {
  const port = freePort()
  return { port, baseUrl: `http://localhost:${port}` }
}

/** The data that a document of ours has for its panel; null without a panel. */
export function panelDataIn(text: string): PanelData | null {
  const [, json] = /<div id="conversations" data-panel="([^"]*)"/.exec(text) ?? []
  if (json === undefined) return null
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PanelData
}

/** Opens a page as a browser's window does. */
export async function openPanel(browser: Browser, path: string): Promise<PanelData | null> {
  const answer = await browser.get(path, BROWSER)
  return panelDataIn(await answer.text())
}

/** Sends a request as the panel does. @returns the status, and the body */
export async function sendFromPanel(
  browser: Browser,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) {
  const answer = await browser.ask(path, {
    method: 'POST',
    headers: { origin: BASE_URL, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const parsed = text.startsWith('{') ? JSON.parse(text) : null
  const code = parsed?.error?.code as string | undefined
  return { answer, status: answer.status, says: code ?? answer.status, data: parsed?.data }
}
