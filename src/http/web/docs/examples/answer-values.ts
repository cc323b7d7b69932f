/**
 * The value of a member in response examples, for members whose type alone would give an example
 * that explains nothing. Looked up by the named schema and the member's name, then by the name.
 */
export function answerValue({ owner = '', name = '' }: { owner?: string; name?: string }) {
  return VALUES[`${owner}.${name}`] ?? VALUES[name]
}

/** Stands for the server that shows the example. */
export const EXAMPLE_ORIGIN = 'https://pages.example.com'
const TIME = '2027-01-31T12:00:00.123456Z'
const FIELD = { key: 'name', label: 'Your name', type: 'text' }

const VALUES: Record<string, unknown> = {
  'AccessRequest.id': 'ar_…',
  'Response.id': 'rsp_…',
  'Account.id': 'acc_…',
  'OperatorAccount.id': 'acc_…',
  'OperatorPage.id': 'pg_…',
  'Key.id': 'key_…',
  'Key.hint': 'sm_4fGx…9Tqa',
  'Session.id': 'ses_…',
  'Session.browser': 'Firefox on Linux',
  'Mail.id': 'mail_…',
  taken_down_at: null,
  taken_down_reason: null,
  response_id: 'rsp_…',
  id: 'up_…',
  created_at: TIME,
  updated_at: TIME,
  submitted_at: TIME,

  ...pageValues({
    id: 'pg_…',
    slug: 'k7m2x9qd4hwt',
    url: `${EXAMPLE_ORIGIN}/p/k7m2x9qd4hwt`,
    title: 'Hello',
    published_at: TIME,
  }),
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
  'Comment.anchor': null,
  'Comment.anchor_state': null,
  'Comment.state': 'open',
  'Comment.addressed_in': null,
  'Comment.is_hidden': false,
  'Comment.edited_at': null,
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
  'Poll.voters': null,
  'Poll.next_offset': null,
  'Approver.history': [],
  'Approvals.manifest': null,
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

function pageValues(values: Record<string, unknown>) {
  return Object.fromEntries(
    ['Page', 'ListedPage', 'InboxPage'].flatMap((owner) =>
      Object.entries(values).map(([name, value]) => [`${owner}.${name}`, value]),
    ),
  )
}
