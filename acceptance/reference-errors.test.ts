/** Causes every documented error code, and compares the response with the reference. */
import { beforeAll, expect, test } from 'bun:test'
import { appOf, ask, HEADER } from './app-session.ts'
import {
  type Answer,
  dataOf,
  type Fields,
  free,
  type Page,
  pro,
  type Sent,
  send,
} from './client.ts'
import { panelOf } from './comments/panel.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { formTo, person } from './gates/person.ts'
import { newEmail, newOwner, operatorEmail, own, signedIn } from './gates/setup.ts'
import { base64, html, htmlOfSize, isoIn, pdf, png, sha256, word } from './material.ts'
import { unreachable } from './origin.ts'
import { docsPages, document } from './reference.ts'
import { FORM, viewer } from './responses/viewer.ts'

/** Codes that a single request cannot cause, and where their tests are. */
const TESTED_ELSEWHERE: Record<string, string> = {
  rate_limited: 'rate-limits',
  conflict: 'concurrency',
  storage_full: 'full-disk',
  database_down: 'src/http, the database is down',
  files_down: 's3',
  server_busy: 'memory',
  body_timeout: 'memory',
  comments_full: 'src/features/comments',
  internal: 'src/http, a page whose content is lost',
  sign_in_again: 'src/http/recent-sign-in',
  scope_missing: 'src/features/accounts/key-limits',
  key_expired: 'src/features/accounts/key-limits',
  quota_reached: 'src/features/accounts/quotas',
  bad_logo: 'src/features/accounts/brand',
  bad_setting: 'src/features/settings',
  setting_locked: 'src/features/settings',
  no_mail_server: 'src/features/settings',
  backup_running: 'src/features/settings',
  too_many_webhooks: 'src/features/webhooks',
  webhook_secret_lost: 'src/features/webhooks',
  too_many_links: 'src/http/visitor/named-links',
  passkey_exists: 'src/features/passkeys',
  too_many_passkeys: 'src/features/passkeys',
  archive_too_large: 'src/features/transfer/archive',
  export_running: 'src/features/transfer/export',
  too_many_exports: 'src/features/transfer/export',
  import_running: 'src/features/transfer/import-limits',
  too_many_imports: 'src/features/transfer/import-limits',
}

const pages = {} as { single: Page; deck: Page; file: Page; elsewhere: Page }
beforeAll(async () => {
  const deck = { files: [{ path: 'index.html', html: html('a a') }] }
  const [single, ofFiles, file, elsewhere] = await Promise.all([
    pro.publish({ html: html('one two two') }),
    pro.publish(deck),
    pro.publish({ file_base64: base64(pdf()), filename: `${word('file')}.pdf` }),
    pro.publish({ html: html('x'), title: word('taken'), slug: word('taken') }),
  ])
  Object.assign(pages, { single, deck: ofFiles, file, elsewhere })
})

const authorization = `Bearer ${pro.key}`
const raw = (body: string, headers: Sent) =>
  send('/api/v1/pages', { method: 'POST', headers: { authorization, ...headers }, body })
const json = { 'content-type': 'application/json' }
const create = (fields: Fields) => () => pro.create(fields)
const edit = (find: string, more: Fields = {}) =>
  pro.patchHtml(pages.single.id, { edits: [{ find, replace: 'x', ...more }] })
const deckOf = (...paths: string[]) => ({
  files: paths.map((path) => ({ path, html: '<p>x</p>' })),
})

/** The operation, the code, and a request that is refused with the code. */
const CASES: [operation: string, code: string, refused: () => Promise<Answer>][] = [
  ['listPages', 'missing_key', () => send('/api/v1/pages')],
  [
    'listPages',
    'bad_key',
    () => send('/api/v1/pages', { headers: { authorization: 'Bearer sm_x' } }),
  ],
  ['listPages', 'unknown_endpoint', () => pro.call('GET', '/nothing')],
  ['listPages', 'method_not_allowed', () => pro.call('PUT', '/pages', {})],
  ['createPage', 'encoded_body', () => raw('x', { ...json, 'content-encoding': 'gzip' })],
  [
    'createPage',
    'bad_idempotency_key',
    () => pro.create({ html: 'x' }, { 'idempotency-key': 'x'.repeat(256) }),
  ],
  ['createPage', 'malformed_json', () => raw('{', json)],
  ['createPage', 'not_json', () => raw('{}', { 'content-type': 'text/plain' })],
  ['createPage', 'unknown_parameter', create({ htlm: 'x' })],
  ['createPage', 'invalid_parameter', create({ html: 5 })],
  ['createPage', 'content_source', create({})],
  ['createPage', 'empty_html', create({ html: '' })],
  ['createPage', 'elided_html', create({ html: 'ELIDED-BY-SERVICE-1000-CHARS' })],
  ['createPage', 'invalid_base64', create({ html_base64: '!' })],
  ['createPage', 'invalid_html_base64', create({ html_base64: '' })],
  ['createPage', 'sha256_mismatch', create({ html: 'x', sha256: sha256('y') })],
  ['createPage', 'invalid_url', create({ html_url: 'ftp://example.com' })],
  ['createPage', 'fetch_failed', create({ html_url: `https://${unreachable.host}/` })],
  ['createPage', 'upload_not_found', create({ html_upload: 'up_none' })],
  ['createPage', 'bad_filename', create({ file_base64: base64(pdf()), filename: '..' })],
  ['createPage', 'unsupported_file_type', create({ file_base64: base64('x'), filename: 'a.exe' })],
  [
    'createPage',
    'truncated_image',
    create({ file_base64: base64(png().subarray(0, 40)), filename: 'a.png' }),
  ],
  [
    'createPage',
    'invalid_zip',
    async () => pro.create({ file_upload: (await pro.upload('no zip')).id, filename: 'a.zip' }),
  ],
  ['createPage', 'empty_deck', create({ files: [] })],
  [
    'createPage',
    'too_many_files',
    create(deckOf(...Array.from({ length: 61 }, (_, i) => `${i}.html`))),
  ],
  ['createPage', 'bad_path', create(deckOf('../a.html'))],
  ['createPage', 'duplicate_path', create(deckOf('a.html', './a.html'))],
  ['createPage', 'bad_entry', create({ ...deckOf('a.html'), entry: 'b.html' })],
  ['createPage', 'bad_fallback', create({ ...deckOf('a.html'), fallback: 'b.html' })],
  ['createPage', 'plan_required', () => free.create({ html: 'x', expires_at: isoIn(60_000) })],
  ['createPage', 'contradictory_settings', create({ html: 'x', collect_votes: true })],
  ['createPage', 'duplicate_title', () => pro.create({ html: 'x', title: pages.elsewhere.title })],
  [
    'publishPage',
    'in_trash',
    async () => {
      const { id } = await pro.publish({ html: html('x') })
      await pro.call('POST', `/pages/${id}/trash`)
      return pro.call('POST', `/pages/${id}/publish`)
    },
  ],
  ['updatePage', 'slug_taken', () => pro.patch(pages.single.id, { slug: pages.elsewhere.slug })],
  ['updatePage', 'wrong_kind', () => pro.patch(pages.file.id, { html: 'x' })],
  [
    'updatePage',
    'precondition_failed',
    () => pro.patch(pages.single.id, { indexed: true }, { 'if-match': '"old"' }),
  ],
  ['getPage', 'page_not_found', () => free.call('GET', `/pages/${pages.single.id}`)],
  ['readHtml', 'not_html', () => pro.call('GET', `/pages/${pages.file.id}/html`)],
  ['editHtml', 'invalid_edit', () => edit('\ud800')],
  ['editHtml', 'edit_not_found', () => edit('three')],
  ['editHtml', 'edit_ambiguous', () => edit('two')],
  ['editHtml', 'elided_edit', () => edit('one', { replace: 'ELIDED-BY-SERVICE-1000-CHARS' })],
  ['editHtml', 'edit_empties_page', () => edit(html('one two two'), { replace: '' })],
  [
    'editHtml',
    'too_many_edits',
    () => pro.patchHtml(pages.single.id, { edits: Array(201).fill({ find: 'a', replace: 'b' }) }),
  ],
  [
    'editHtml',
    'file_not_found',
    () => pro.patchHtml(pages.deck.id, { file: 'b.html', edits: [{ find: 'a', replace: 'b' }] }),
  ],
  [
    'getVersion',
    'version_not_found',
    () => pro.call('GET', `/pages/${pages.single.id}/versions/99`),
  ],
  ['readFile', 'path_not_found', () => pro.call('GET', `/pages/${pages.single.id}/files/a.css`)],
  ['createUpload', 'empty_upload', () => pro.sendUpload('')],
  ['createUpload', 'content_too_large', () => free.sendUpload('x'.repeat(6 * 1024 * 1024))],
  [
    'decideAccessRequest',
    'request_not_found',
    () => pro.call('POST', `/pages/${pages.single.id}/access-requests/ar_x`, { decision: 'deny' }),
  ],
  ['requestApprovals', 'approvals_off', () => askFor(pages.single)],
  ['getApprovalRecord', 'nothing_published', recordOfDraft],
  [
    'getImportedRecord',
    'record_not_found',
    () => pro.call('GET', `/pages/${pages.single.id}/approvals/imported-records/rec_x`),
  ],
  ['listResponses', 'unknown_explode_key', unknownKey],
  [
    'deleteResponse',
    'response_not_found',
    () => pro.call('DELETE', `/pages/${pages.single.id}/responses/rsp_x`),
  ],
  [
    'createComment',
    'comments_off',
    () => pro.call('POST', `/pages/${pages.single.id}/comments`, { body: 'x' }),
  ],
  [
    'deleteComment',
    'comment_not_found',
    () => pro.call('DELETE', `/pages/${pages.single.id}/comments/cmt_x`),
  ],
  ['createComment', 'comment_is_reply', replyToReply],
  ['createComment', 'bad_anchor', badAnchor],
  ['updateComment', 'not_your_comment', viewersComment],
  ['createPage', 'idempotency_key_reused', keyReused],
  ['createPage', 'invalid_html', invalidHtml],
  ['createPage', 'invalid_markdown', create({ markdown: '> '.repeat(10_000) })],
  ['editHtml', 'too_many_matches', tooManyMatches],
  ['editHtml', 'html_too_large', htmlTooLarge],
  ['decideAccessRequest', 'too_many_invitees', tooManyInvitees],
  [
    'invitePeople',
    'nobody_invited',
    () => pro.call('POST', `/pages/${pages.single.id}/invitations`, {}),
  ],
  ['makePersonalLink', 'not_admitted', linkToPrivatePage],
  [
    'deleteLink',
    'link_not_found',
    () => pro.call('DELETE', `/pages/${pages.single.id}/links/lnk_none`),
  ],
  ['listKeys', 'session_only', () => pro.call('GET', '/keys')],
  ['listKeys', 'signed_out', () => ask('GET', '/keys', HEADER)],
  ['listKeys', 'foreign_origin', () => ask('GET', '/keys', {})],
  ['listKeys', 'guest_session', keysOfGuest],
  ['createKey', 'too_many_keys', tooManyKeys],
  ['updateAccount', 'too_many_saved_filters', () => saveFilters(31)],
  ['revokeKey', 'key_not_found', () => asOwner('DELETE', '/keys/key_none')],
  ['endConnection', 'connection_not_found', () => asOwner('DELETE', '/connections/key_none')],
  ['deleteAccount', 'email_mismatch', () => asOwner('POST', '/account/deletion', { email: 'x' })],
  ['deleteAccount', 'last_operator', deleteOperator],
  ['listAccounts', 'operator_only', () => asOwner('GET', '/operator/accounts')],
  ['createAccount', 'account_exists', makeExisting],
  ['changeAccount', 'account_not_found', () => asOperator('PATCH', '/operator/accounts/acc_x', {})],
  ['changeAccount', 'guest_account', promoteGuest],
  ['suspendAccount', 'own_account', async () => suspend(await operatorEmail())],
  ['listPages', 'account_suspended', pagesOfSuspended],
  ['importAccount', 'not_an_archive', importNothing],
  ['readMail', 'mail_not_found', () => asOperator('GET', '/operator/mails/mail_x')],
  ['retryMail', 'mail_sent', retrySent],
  ['endSession', 'session_not_found', () => asOwner('DELETE', '/sessions/ses_none')],
  ['addPasskey', 'passkey_refused', addNoPasskey],
  ['removePasskey', 'passkey_not_found', () => asOwner('DELETE', '/passkeys/psk_none')],
  ['getAsk', 'ask_not_found', () => pro.call('GET', '/asks/ask_none')],
  ['createAsk', 'ask_unfit', askWithoutForm],
  ['getWebhook', 'webhook_not_found', () => pro.call('GET', '/webhooks/whk_none')],
  ['redeliver', 'delivery_not_found', redeliverNone],
  ['unlinkIdentity', 'identity_not_found', () => asOwner('DELETE', '/identities/idn_none')],
]

async function linkToPrivatePage(): Promise<Answer> {
  const email = 'ann@example.com'
  const page = await pro.publish({ html: html('x'), access: 'private', allowed_emails: [email] })
  return pro.call('POST', `/pages/${page.id}/personal-links`, { email, purpose: 'view' })
}

/** Signed in once each: a sign-in takes its time, whoever asks. */
const apps: { owner?: Promise<App>; operator?: Promise<App> } = {}
type App = ReturnType<typeof appOf>
async function appOfOwner(): Promise<App> {
  return appOf(await signedIn((await newOwner()).email))
}
async function appOfOperator(): Promise<App> {
  return appOf(await signedIn(await operatorEmail()))
}
async function asOwner(method: string, path: string, body?: object): Promise<Answer> {
  apps.owner ??= appOfOwner()
  return (await apps.owner)(method, path, body)
}
function askWithoutForm(): Promise<Answer> {
  const question = { kind: 'form' }
  return pro.call('POST', '/asks', { html: html('x'), people: ['ann@example.com'], question })
}
async function redeliverNone(): Promise<Answer> {
  const url = 'https://example.com/webhook'
  const { id } = dataOf<{ id: string }>(await pro.call('POST', '/webhooks', { url }), 201)
  return pro.call('POST', `/webhooks/${id}/deliveries/msg_none/redeliver`)
}
function addNoPasskey(): Promise<Answer> {
  const response = { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
  const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }
  return asOwner('POST', '/passkeys', { name: 'x', response: credential })
}
function importNothing(): Promise<Answer> {
  return send('/api/v1/account/import', { method: 'POST', headers: { authorization }, body: 'x' })
}
async function asOperator(method: string, path: string, body?: object): Promise<Answer> {
  apps.operator ??= appOfOperator()
  return (await apps.operator)(method, path, body)
}
async function makeExisting(): Promise<Answer> {
  return asOperator('POST', '/operator/accounts', { email: (await newOwner()).email })
}
async function promoteGuest(): Promise<Answer> {
  const email = await newGuest()
  await signedIn(email)
  const answer = await asOperator('GET', `/operator/accounts?search=${encodeURIComponent(email)}`)
  const [{ id } = { id: '' }] = dataOf<{ id: string }[]>(answer)
  return asOperator('PATCH', `/operator/accounts/${id}`, { is_operator: true })
}
async function suspend(email: string): Promise<Answer> {
  const answer = await asOperator('GET', `/operator/accounts?search=${encodeURIComponent(email)}`)
  const [{ id } = { id: '' }] = dataOf<{ id: string }[]>(answer)
  return asOperator('POST', `/operator/accounts/${id}/suspension`, {})
}
async function pagesOfSuspended(): Promise<Answer> {
  const by = await newOwner()
  dataOf(await suspend(by.email))
  return by.call('GET', '/pages')
}
async function retrySent(): Promise<Answer> {
  const sent = await asOperator('GET', '/operator/mails?state=sent')
  const [{ id } = { id: '' }] = dataOf<{ id: string }[]>(sent)
  return asOperator('POST', `/operator/mails/${id}/retry`, {})
}
async function deleteOperator(): Promise<Answer> {
  const email = await operatorEmail()
  return appOf(await signedIn(email))('POST', '/account/deletion', { email })
}
async function newGuest(): Promise<string> {
  const email = newEmail('guest')
  const invited = { access: 'people', allowed_emails: [email], require_signin: true }
  await (await newOwner()).publish({ html: html('x'), ...invited })
  return email
}
async function keysOfGuest(): Promise<Answer> {
  return appOf(await signedIn(await newGuest()))('GET', '/keys')
}
async function tooManyKeys(): Promise<Answer> {
  const app = await appOfOwner()
  for (let made = 1; made < 100; made++) await app('POST', '/keys', {})
  return app('POST', '/keys', {})
}

async function saveFilters(count: number): Promise<Answer> {
  const app = await appOfOwner()
  const named = (name: unknown) => ({ name: `${name}`, filters: { kind: 'pdf' } })
  const [first, ...rest] = [...Array(count).keys()].map(named)
  await app('PATCH', '/account', { saved_filters: [first] })
  return app('PATCH', '/account', { saved_filters: rest })
}

async function unknownKey(): Promise<Answer> {
  const form = await pro.publish({ html: FORM })
  await viewer().respond(form, { name: 'Ada' })
  return pro.call('GET', `/pages/${form.id}/responses?explode=nothing`)
}
function askFor({ id }: Page): Promise<Answer> {
  return pro.call('POST', `/pages/${id}/approvals/requests`, {})
}
async function recordOfDraft(): Promise<Answer> {
  const { id } = await pro.publish({ html: html('x'), publish: false })
  return pro.call('GET', `/pages/${id}/approvals/record`)
}
const commented = () => pro.publish({ html: html('x'), allow_comments: true })
async function replyToReply(): Promise<Answer> {
  const { id } = await commented()
  const write = (body: Fields) => pro.call('POST', `/pages/${id}/comments`, body)
  const comment = dataOf<{ id: string }>(await write({ body: 'a' }), 201)
  const reply = dataOf<{ id: string }>(await write({ body: 'b', parent_id: comment.id }), 201)
  return write({ body: 'c', parent_id: reply.id })
}
async function badAnchor(): Promise<Answer> {
  const { id } = await commented()
  return pro.call('POST', `/pages/${id}/comments`, { body: 'x', anchor: { x: 0.5, y: 0.5 } })
}
async function viewersComment(): Promise<Answer> {
  const page = await commented()
  const panel = await panelOf(page)
  const { id } = await panel.comment('Why?')
  return pro.call('PATCH', `/pages/${page.id}/comments/${id}`, { body: 'x' })
}
async function keyReused(): Promise<Answer> {
  const headers = { 'idempotency-key': word('key') }
  await pro.create({ html: 'x' }, headers)
  return pro.create({ html: 'y' }, headers)
}
async function invalidHtml(): Promise<Answer> {
  const { id } = await pro.upload(png())
  return pro.create({ html_upload: id })
}
async function tooManyMatches(): Promise<Answer> {
  const { id } = await pro.publish({ html: html('a'.repeat(1001)) })
  return pro.patchHtml(id, { edits: [{ find: 'a', replace: 'b', replace_all: true }] })
}
async function htmlTooLarge(): Promise<Answer> {
  const { id } = await free.upload(htmlOfSize(5 * 1024 * 1024, 'grow'))
  const page = await free.publish({ html_upload: id })
  return free.patchHtml(page.id, { edits: [{ find: 'grow', replace: 'grown' }] })
}
async function tooManyInvitees(): Promise<Answer> {
  const by = await newOwner()
  const allowedEmails = Array.from({ length: 500 }, (_, i) => `ann-${i}@example.com`)
  const settings = { access: 'people', allow_access_requests: true, allowed_emails: allowedEmails }
  const page = await by.publish({ html: html('x'), ...settings })
  const who = person()
  const { action, fields } = formTo(await who.open(`/p/${page.slug}`), '/request')
  await who.post(action, { ...fields, email: 'ada@example.com' })
  const path = `/pages/${page.id}/access-requests`
  const [request] = ((await by.call('GET', path)).json as { data: { id: string }[] }).data
  return by.call('POST', `${path}/${request!.id}`, { decision: 'approve' })
}

own(
  'each error code comes with the status that the reference documents',
  async () => {
    const { operations, errors } = await document()
    await everyCase(
      CASES.map((one) => [one[1], one] as const),
      async ([name, code, refused]) => {
        const documented = errors.find((error) => error.code === code)!
        expectRefusal(await refused(), documented.status, code)
        const operation = operations.find(({ operationId }) => operationId === name)!
        if (documented.where === 'everywhere') return
        expect(operation.codes, name).toContain(code)
        expect(operation.statuses, name).toContain(String(documented.status))
      },
    )
  },
  60_000,
)

test('every code of the API is tested, and every documented code exists', async () => {
  const { errors } = await document()
  const documented = errors.filter(({ where }) => where !== 'forms').map(({ code }) => code)
  const provoked = [...CASES.map(([, code]) => code), ...Object.keys(TESTED_ELSEWHERE)]
  expect(provoked.sort()).toEqual(documented.sort())
})

test('each code has a meaning and a remedy, in sentences, and an error status', async () => {
  const { errors } = await document()
  expect(new Set(errors.map(({ where }) => where)).size).toBe(3)
  for (const { code, status, meaning, cure } of errors) {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
    expect(status, code).toBeGreaterThanOrEqual(400)
    for (const sentence of [meaning, cure]) {
      expect(sentence, code).toMatch(/^(`|[A-Z]).{8,}\.$/)
      expect(sentence, code).not.toMatch(/please|oops|!|\n/i)
    }
  }
})

test('every code of an operation is documented once, and its operation links to it', async () => {
  const { operations, errors } = await document()
  const pages = await docsPages()
  const all = [...pages.values()].join('\n')
  const documented = new Set(errors.map(({ code }) => code))
  for (const { operationId, codes } of operations) {
    const [, section, ...others] = all.split(`<section class="operation" id="${operationId}">`)
    expect(others, operationId).toEqual([])
    for (const code of codes) {
      expect(documented, `${operationId}: ${code}`).toContain(code)
      expect(section!.split('</section>')[0]).toContain(`<a href="/docs/errors#error-${code}">`)
    }
  }
  for (const code of documented) {
    expect(all.split(` id="error-${code}"`), code).toHaveLength(2)
    expect(pages.get('/docs/errors')).toContain(` id="error-${code}"`)
  }
})
