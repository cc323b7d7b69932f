import { SERVER_URL } from '../../src/model/site.ts'
import {
  type OpenApiDocument,
  type OperationObject,
  type SchemaObject,
  successOf,
} from './openapi.ts'

export function responseExample(
  document: OpenApiDocument,
  operation: OperationObject,
): string | undefined {
  const schema = successOf(operation).content['application/json']?.schema
  if (schema === undefined) return undefined
  return JSON.stringify(schemaExample(document, schema, { isResponse: true }), null, 2)
}

/** Members that an example shows when the schema requires none. */
const ILLUSTRATIVE = ['title', 'html', 'is_hidden']
/** Members that an example shows beside what is required, since one of several must be given. */
const CHOSEN = ['is_done']
/** Members that most requests leave out. */
const SPECIAL = ['addresses']

interface ExampleContext {
  name?: string
  owner?: string
  isResponse?: boolean
}

/** Builds the smallest value that illustrates the schema. */
export function schemaExample(
  document: OpenApiDocument,
  reference: SchemaObject,
  context: ExampleContext = {},
): unknown {
  const owner = reference.$ref?.replace(/^.*\//, '') ?? ''
  const schema = owner === '' ? reference : (document.components.schemas[owner] as SchemaObject)
  const isResponse = context.isResponse === true
  const value = isResponse ? answerValue(context) : undefined
  if (value !== undefined) return value
  const example = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (example !== undefined) return example
  const options = schema.anyOf ?? schema.oneOf
  if (isResponse && options?.some(({ type }) => type === 'null')) return null
  if (options?.[0]) return schemaExample(document, options[0], context)
  const [type = 'object', ...others] = [schema.type ?? 'object'].flat()
  if (isResponse && others.includes('null')) return null
  if (type === 'object') return objectExample(document, schema, { ...context, owner })
  if (type === 'array') return schema.items ? [schemaExample(document, schema.items, context)] : []
  if (type === 'boolean') return isResponse ? false : schema.default !== true
  if (type === 'integer' || type === 'number') return schema.minimum ?? (isResponse ? 0 : 1)
  return type === 'string' ? textExample(schema, context.name ?? '') : null
}

function objectExample(
  document: OpenApiDocument,
  schema: SchemaObject,
  context: ExampleContext,
): unknown {
  const members = Object.entries(schema.properties ?? {})
  const required = members.filter(
    ([name]) =>
      schema.required?.includes(name) ||
      CHOSEN.includes(name) ||
      (name === 'html' && schema.required?.includes('people')),
  )
  const illustrative = members.filter(([name]) => ILLUSTRATIVE.includes(name))
  const usual = members.filter(([name]) => !SPECIAL.includes(name))
  const selection =
    [required, illustrative, usual.slice(0, 1)].find((some) => some.length > 0) ?? []
  return Object.fromEntries(
    selection.map(([name, member]) => [
      name,
      schemaExample(document, member, { ...context, name }),
    ]),
  )
}

function textExample({ format, default: defaultText }: SchemaObject, name: string): string {
  if (format === 'date-time' || /_at$|^since$/.test(name)) return '2027-01-31T12:00:00Z'
  if (format === 'email' || /email/.test(name)) return 'ada@example.com'
  if (format === 'uri' || /_url$/.test(name)) return 'https://example.com/page.html'
  const hasDefault = typeof defaultText === 'string' && defaultText !== ''
  return hasDefault ? defaultText : (TEXTS[name] ?? 'Hello')
}

const TEXTS: Record<string, string> = {
  html: '<h1>Hello</h1>',
  url: 'https://example.com/webhook',
  path: 'index.html',
  replace: 'Good day',
  label: 'For Ann',
  body: 'We moved it to 16 May.',
  comment_ids: 'COMMENT_ID',
  link_ids: 'LINK_ID',
  people: 'ada@example.com',
}

/**
 * The value of a member in response examples, for members whose type alone would give an example
 * that explains nothing. Looked up by the named schema and the member's name, then by those of what
 * it is a kind of, such as `Page` of `ListedPage`, then by the name.
 */
function answerValue({ owner = '', name = '' }: { owner?: string; name?: string }) {
  const kind = owner.replace(/^(?:New|Listed|Inbox)(?=[A-Z])/, '')
  return VALUES[`${owner}.${name}`] ?? VALUES[`${kind}.${name}`] ?? VALUES[name]
}

const TIME = '2027-01-31T12:00:00.123456Z'
const FIELD = { key: 'name', label: 'Your name', type: 'text' }

const VALUES: Record<string, unknown> = {
  'AccessRequest.id': 'ar_…',
  // Without a cursor it begins now, and nothing has happened yet.
  'Feedback.items': [],
  'Feedback.cursor': 'acc_…-12',
  'Webhook.id': 'whk_…',
  'Webhook.url': 'https://example.com/webhook',
  'NewWebhook.secret': 'whsec_…',
  'WebhookDelivery.id': 'msg_…',
  'WebhookDelivery.type': 'test',
  'WebhookDelivery.request': { headers: { 'webhook-id': 'msg_…' }, body: '{…}' },
  'NewLinks.mailed': ['ada@example.com'],
  'NewLinks.not_mailed': [],
  'Link.id': 'lnk_…',
  'Link.label': 'Ann (Acme)',
  'Link.url': `${SERVER_URL}/l/k7m2x9qd4hwt3b`,
  'Ask.id': 'ask_…',
  // Nobody has answered yet.
  'Ask.answered': [],
  'Ask.waiting': ['ada@example.com'],
  'Response.id': 'rsp_…',
  'Account.id': 'acc_…',
  'OperatorAccount.id': 'acc_…',
  'OperatorPage.id': 'pg_…',
  'Key.id': 'key_…',
  'Key.hint': 'sm_4fGx…9Tqa',
  'Session.id': 'ses_…',
  'Session.browser': 'Firefox on Linux',
  'Mail.id': 'mail_…',
  response_id: 'rsp_…',
  id: 'up_…',
  created_at: TIME,
  updated_at: TIME,
  submitted_at: TIME,

  'Page.id': 'pg_…',
  'Page.slug': 'k7m2x9qd4hwt',
  'Page.url': `${SERVER_URL}/p/k7m2x9qd4hwt`,
  'Page.title': 'Hello',
  'Page.published_at': TIME,
  accent: 'blue',
  is_published: true,
  open_to: 'anyone with the link',
  file_count: 1,
  version_no: 1,
  warnings: [],
  needs_origin: [],
  allowed_emails: [],
  people: [],
  approver_emails: [],
  poll_options: [],
  allowed_domains: [],

  'Comment.id': 'cmt_…',
  'Comment.author': { kind: 'confirmed', name: 'Ada', email: 'ada@example.com' },
  'Comment.body': 'Why not the 16th?',
  'Comment.path': '',
  'Comment.replies': [],

  'Inbox.counts': { threads: 1, requests: 0, decisions: 0 },
  'InboxThread.id': 'cmt_…',
  at: TIME,

  'Poll.question': 'Which date?',
  'Poll.options': [
    { text: 'Friday', votes: 3, share: 0.75 },
    { text: 'Monday', votes: 1, share: 0.25 },
  ],
  'Poll.total_votes': 4,
  'Poll.closes_at': '2027-02-07T12:00:00.000000Z',
  'Approver.history': [],
  'Approvals.imported_records': [],
  'ApprovalRequest.not_admitted': [],

  collecting: true,
  count: 1,
  bytes: 41,
  max_count: 10_000,
  max_bytes: 262_144_000,
  total: 1,
  fields: [FIELD],
  summaries: [{ ...FIELD, answered: 1, samples: [{ value: 'Ada', respondent: 'Amber Heron' }] }],
  summary_text: ['Your name: 1 answer'],
  explodable: ['guests'],
  explode: 'guests',
  row_fields: [FIELD],
  row_summaries: [],
  row_summary_text: [],
  row_total: 1,
  respondent: 'Amber Heron',
  'Response.name': 'Ada',
  'Response.values': { name: 'Ada', guests: [{ name: 'Bo' }] },
  'Response.data': { name: 'Ada', guests: [{ name: 'Bo' }] },
  submit_count: 1,
  'ResponseRow.name': 'Ada',
  'ResponseRow.values': { name: 'Ada', 'guests.name': 'Bo' },
  item: 1,
}
