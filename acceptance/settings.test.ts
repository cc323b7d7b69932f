import { expect, test } from 'bun:test'
import { dataOf, type Fields, free, type Page, pro, visitor } from './client.ts'
import {
  everyCase,
  expectBadParam,
  expectGate,
  expectPage,
  expectRefusal,
  timestamp,
} from './expect.ts'
import { html, isoIn, word } from './material.ts'

const inADay = isoIn(24 * 3600_000)

/** Settings that need no other, each with a value other than its default. */
const plain: Fields = {
  accent: 'teal',
  indexed: true,
  max_views: 5,
  download_disabled: true,
  watermark: true,
  notify_on_view: true,
  allow_comments: true,
  comments_require_email: true,
  require_signin: true,
  allow_access_requests: true,
  business_only: true,
  allowed_domains: ['example.com', 'example.org'],
  og_title: 'A title for previews',
  og_description: 'What the preview says.',
  approver_emails: ['ann@example.com'],
  approvals_visibility: 'shared',
  poll_question: 'Which one?',
  poll_options: ['This', 'That'],
  poll_require_email: true,
  poll_results: 'vote',
  poll_named: true,
}

test('every setting given at create comes back from create, get and list', async () => {
  const page = await pro.publish({ html: html('x'), ...plain })
  expectPage(page)
  expect(page).toMatchObject(plain)
  expect(await pro.page(page.id)).toMatchObject(plain)
  expect((await pro.list()).data.find((each) => each.id === page.id)).toMatchObject(plain)
})

test('every setting can be changed alone, and no other changes with it', async () => {
  const { id } = await pro.publish({ html: html('x') })
  await everyCase(Object.entries(plain), async (value, name) => {
    const before = await pro.page(id)
    const after = await pro.update(id, { [name]: value })
    expectPage(after)
    expect(after[name]).toEqual(value)
    const { [name]: _, updated_at: __, ...rest } = after
    const { [name]: ___, updated_at: ____, ...untouched } = before
    expect(rest).toEqual(untouched)
    expect(await pro.page(id)).toEqual(after)
  })
  expect(await pro.page(id)).toMatchObject(plain)
})

test('a setting of the wrong type is 400 that names it, at create and at update', async () => {
  const page = await pro.publish({ html: html('x') })
  const booleans = [
    'indexed',
    'download_disabled',
    'watermark',
    'notify_on_view',
    'allow_comments',
    'comments_require_email',
    'collect_approvals',
    'collect_votes',
    'poll_require_email',
    'poll_named',
    'require_signin',
    'allow_access_requests',
    'business_only',
  ]
  const wrong: [string, unknown][] = [
    ...booleans.flatMap((name): [string, unknown][] => [
      [name, 'true'],
      [name, 1],
      [name, null],
    ]),
    ['access', 'public'],
    ['access', 'LINK'],
    ['access', null],
    ['accent', 'pinkish'],
    ['accent', 5],
    ['approvals_visibility', 'everyone'],
    ['poll_results', 'never'],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2030-13-01T00:00:00Z'],
    ['expires_at', ''],
    ['expires_at', 1893456000],
    ['poll_closes_at', 'soon'],
    ['poll_closes_at', 5],
    ['max_views', 0],
    ['max_views', -1],
    ['max_views', 1.5],
    ['max_views', '5'],
    ['max_views', true],
    ['allowed_emails', 'ann@example.com'],
    ['allowed_emails', ['not an address']],
    ['allowed_emails', [5]],
    ['allowed_emails', null],
    ['approver_emails', ['@example.com']],
    ['approver_emails', {}],
    ['allowed_domains', 'example.com'],
    ['allowed_domains', [5]],
    ['og_title', 5],
    ['og_description', ['x']],
    ['poll_question', 5],
    ['poll_options', 'This, That'],
    ['poll_options', [1, 2]],
    ['password', 12345],
  ]
  await everyCase(
    wrong.map(([name, value]) => [`${name}: ${JSON.stringify(value)}`, [name, value] as const]),
    async ([name, value]) => {
      expectBadParam(await pro.create({ html: html('x'), [name]: value }), name)
      expectBadParam(await pro.patch(page.id, { [name]: value }), name)
    },
  )
  expect(await pro.page(page.id), 'nothing was written').toEqual(page)
})

test('access is one of link, people, private, password and email_gate', async () => {
  for (const access of ['link', 'people', 'private', 'password', 'email_gate']) {
    const page = await pro.publish({ html: html('x'), access })
    expectPage(page)
    expect(page.access).toBe(access)
  }
})

test('a change of access takes effect at once', async () => {
  const words = word('guarded')
  const { id, slug } = await pro.publish({ html: html(words) })
  expect((await visitor.open(slug)).status).toBe(200)
  for (const access of ['private', 'people', 'email_gate', 'password']) {
    const page = await pro.update(id, { access })
    expect(page.access).toBe(access)
    expectGate(await visitor.open(slug), [words])
  }
  await pro.update(id, { access: 'link' })
  expect((await visitor.open(slug)).text).toContain(words)
})

test('people is the invite list, kept in sync with allowed_emails', async () => {
  const page = await pro.publish({
    html: html('x'),
    access: 'people',
    allowed_emails: ['ann@example.com', 'bob@example.com'],
  })
  expectPage(page)
  expect(page.allowed_emails).toEqual(['ann@example.com', 'bob@example.com'])
  expect(page.people).toEqual([
    { email: 'ann@example.com', role: 'view' },
    { email: 'bob@example.com', role: 'view' },
  ])
  const updated = await pro.update(page.id, { allowed_emails: ['cat@example.com'] })
  expect(updated.people).toEqual([{ email: 'cat@example.com', role: 'view' }])
  expect((await pro.update(page.id, { allowed_emails: [] })).people).toEqual([])
})

test('emails are validated, lower-cased and deduplicated', async () => {
  const page = await pro.publish({
    html: html('x'),
    access: 'people',
    allowed_emails: ['Ann@Example.COM', 'ann@example.com', 'bob@example.com'],
    approver_emails: ['Dan@Example.com', 'dan@example.com'],
  })
  expect(page.allowed_emails).toEqual(['ann@example.com', 'bob@example.com'])
  expect(page.people.map(({ email }) => email)).toEqual(page.allowed_emails)
  expect(page.approver_emails).toEqual(['dan@example.com'])
  await everyCase(
    ['x', 'x@', '@y.example', 'a b@example.com', 'a@b@example.com', 'a\n@example.com', ''].map(
      (email) => [JSON.stringify(email), email] as const,
    ),
    async (email) => {
      const fields = { html: html('x'), access: 'people' }
      expectBadParam(await pro.create({ ...fields, allowed_emails: [email] }), 'allowed_emails')
      expectBadParam(await pro.create({ ...fields, approver_emails: [email] }), 'approver_emails')
    },
  )
})

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `person${i}@example.com`)
}

test('a page has at most 500 invitees and 50 approvers', async () => {
  const fields = { html: html('x'), access: 'people' }
  const page = await pro.publish({
    ...fields,
    allowed_emails: addresses(500),
    approver_emails: addresses(50),
  })
  expect(page.allowed_emails).toHaveLength(500)
  expect(page.people).toHaveLength(500)
  expect(page.approver_emails).toHaveLength(50)
  expectBadParam(await pro.create({ ...fields, allowed_emails: addresses(501) }), 'allowed_emails')
  expectBadParam(await pro.create({ ...fields, approver_emails: addresses(51) }), 'approver_emails')
})

test('a password is generated and returned when omitted', async () => {
  const first = await pro.publish({ html: html('x'), access: 'password' })
  const second = await pro.publish({ html: html('x'), access: 'password' })
  expect(first.password!.split(/[^a-z]+/i)).toHaveLength(4)
  expect(first.password).not.toBe(second.password)
  expect((await pro.page(first.id)).password).toBe(first.password!)
})

test('a new password is generated for null', async () => {
  const old = 'four short words'
  const page = await pro.publish({ html: html('x'), access: 'password', password: old })
  const { password } = await pro.update(page.id, { password: null })
  expect(password!.split('-')).toHaveLength(4)
  expect((await pro.page(page.id)).password).toBe(password!)
  const again = await pro.update(page.id, { password: null })
  expect(again.password).not.toBe(password)
})

test('password is present on create, get and update of a password page, and absent from list', async () => {
  const password = word('correct horse')
  const page = await pro.publish({ html: html('x'), access: 'password', password })
  expectPage(page)
  expect(page.password).toBe(password)
  expect((await pro.page(page.id)).password).toBe(password)
  expect((await pro.update(page.id, { indexed: true })).password).toBe(password)
  const listed = await pro.call('GET', '/pages?limit=200')
  expect(listed.text).not.toContain(password)
  for (const each of dataOf<Page[]>(listed)) expect(each).not.toHaveProperty('password')
  const versions = await pro.call('GET', `/pages/${page.id}/versions`)
  expect(versions.text).not.toContain(password)
})

test('password is in the response of publish and restore, for a password page', async () => {
  const password = word('open sesame')
  const page = await pro.publish({
    html: html('x'),
    access: 'password',
    password,
    publish: false,
  })
  expect(await pro.goLive(page.id)).toEqual({
    id: page.id,
    url: page.url,
    is_published: true,
    has_unpublished_changes: false,
    password,
  })
  expect((await pro.restore(page.id, 1)).password).toBe(password)
})

test('password is absent when access is not password', async () => {
  for (const access of ['link', 'people', 'private', 'email_gate']) {
    expect(await pro.publish({ html: html('x'), access })).not.toHaveProperty('password')
  }
  const page = await pro.publish({ html: html('x'), access: 'password' })
  const opened = await pro.call('PATCH', `/pages/${page.id}`, { access: 'link' })
  expect(dataOf<Page>(opened)).not.toHaveProperty('password')
  expect(opened.text).not.toContain(page.password!)
})

test('password may be set and replaced by PATCH', async () => {
  const { id } = await pro.publish({ html: html('x') })
  const first = await pro.update(id, { access: 'password', password: 'first word' })
  expect(first.password).toBe('first word')
  const second = await pro.update(id, { password: 'second word' })
  expect(second.password).toBe('second word')
  expect((await pro.page(id)).password).toBe('second word')
})

test('a page that becomes a password page has a password', async () => {
  const { id } = await pro.publish({ html: html('x') })
  const page = await pro.update(id, { access: 'password' })
  expect(page.password!.length).toBeGreaterThanOrEqual(4)
})

test('a password has 4 to 128 characters', async () => {
  const fields = { html: html('x'), access: 'password' }
  for (const password of ['1234', 'x'.repeat(128), 'ünï✓']) {
    expect((await pro.publish({ ...fields, password })).password).toBe(password)
  }
  await everyCase(
    [
      ['empty', ''],
      ['3', 'abc'],
      ['129', 'x'.repeat(129)],
    ],
    async (password) => expectBadParam(await pro.create({ ...fields, password }), 'password'),
  )
})

test('accent is one of ten colour names', async () => {
  const { id } = await pro.publish({ html: html('x') })
  const names = 'slate red orange amber green teal blue indigo violet pink'.split(' ')
  for (const accent of names) expect((await pro.update(id, { accent })).accent).toBe(accent)
})

test('expires_at accepts any ISO 8601 with an offset and returns UTC with microseconds', async () => {
  const { id } = await pro.publish({ html: html('x') })
  await everyCase(
    [
      ['2031-05-06T07:08:09Z', '2031-05-06T07:08:09.000000Z'],
      ['2031-05-06T07:08:09.123Z', '2031-05-06T07:08:09.123000Z'],
      ['2031-05-06T07:08:09.123456Z', '2031-05-06T07:08:09.123456Z'],
      ['2031-05-06T07:08:09+02:00', '2031-05-06T05:08:09.000000Z'],
      ['2031-05-06T23:08:09.5-05:30', '2031-05-07T04:38:09.500000Z'],
    ] as const,
    async (expected, value) => {
      const page = await pro.update(id, { expires_at: value, poll_closes_at: value })
      expect(page.expires_at).toBe(expected)
      expect(page.poll_closes_at).toBe(expected)
    },
  )
})

test('times to come may be a date, which is its end in UTC, or a distance from now', async () => {
  const { id } = await pro.publish({ html: html('x') })
  const day = await pro.update(id, { expires_at: '2031-05-06', poll_closes_at: '2031-05-07' })
  expect(day).toMatchObject({
    ...{ expires_at: '2031-05-06T23:59:59.999999Z', poll_closes_at: '2031-05-07T23:59:59.999999Z' },
  })
  await everyCase(
    [
      ['30m', 1 / 48],
      ['12h', 0.5],
      ['7d', 7],
      ['2w', 14],
    ] as const,
    async (days, value) => {
      const { expires_at: at } = await pro.update(id, { expires_at: value })
      const off = Date.parse(String(at)) - Date.now() - days * 86_400_000
      expect(Math.abs(off), String(at)).toBeLessThan(60_000)
    },
  )
  for (const input of ['7', '7y', '-7d', 'tomorrow', '2031-02-30', '2031-05-06T07:08']) {
    const { message } = expectBadParam(
      await pro.call('PATCH', `/pages/${id}`, { expires_at: input }),
      'expires_at',
    )
    expect(message).toContain('a distance such as 7d')
  }
})

test('null removes expires_at, max_views and poll_closes_at, and clears og_title and og_description', async () => {
  const fields = {
    expires_at: inADay,
    max_views: 3,
    poll_closes_at: inADay,
    og_title: 'Preview',
    og_description: 'Words',
  }
  const page = await pro.publish({ html: html('x'), ...fields })
  expect(page.expires_at).toMatch(timestamp)
  expect(page.max_views).toBe(3)
  for (const name of Object.keys(fields)) {
    expect((await pro.update(page.id, { [name]: null }))[name]).toBeNull()
    expect((await pro.page(page.id))[name]).toBeNull()
  }
})

test('max_views is at least 1', async () => {
  expect((await pro.publish({ html: html('x'), max_views: 1 })).max_views).toBe(1)
  expectBadParam(await pro.create({ html: html('x'), max_views: 0 }), 'max_views')
})

test('collect_approvals requires approver_emails', async () => {
  expectBadParam(await pro.create({ html: html('x'), collect_approvals: true }), 'approver_emails')
  expectBadParam(
    await pro.create({ html: html('x'), collect_approvals: true, approver_emails: [] }),
    'approver_emails',
  )
  const { id } = await pro.publish({ html: html('x') })
  expectBadParam(await pro.patch(id, { collect_approvals: true }), 'approver_emails')
  const approverEmails = ['ann@example.com']
  const page = await pro.update(id, { collect_approvals: true, approver_emails: approverEmails })
  expect(page).toMatchObject({ collect_approvals: true, approver_emails: approverEmails })
  expectBadParam(await pro.patch(id, { approver_emails: [] }), 'approver_emails')
  expect(await pro.page(id)).toEqual(page)
  await pro.update(id, { collect_approvals: false, approver_emails: [] })
})

test('collect_votes requires poll_question and 2 to 12 distinct poll_options', async () => {
  const fields = { html: html('x'), collect_votes: true }
  const options = (count: number) => Array.from({ length: count }, (_, i) => `Option ${i}`)
  const pollQuestion = 'Which?'
  for (const count of [2, 12]) {
    const pollOptions = options(count)
    const page = await pro.publish({
      ...fields,
      poll_question: pollQuestion,
      poll_options: pollOptions,
    })
    expect(page).toMatchObject({
      collect_votes: true,
      poll_question: pollQuestion,
      poll_options: pollOptions,
    })
  }
  await everyCase(
    [
      ['none', undefined],
      ['0', []],
      ['1', options(1)],
      ['13', options(13)],
      ['twice the same', ['Yes', 'No', 'Yes']],
    ],
    async (pollOptions) =>
      expectBadParam(
        await pro.create({ ...fields, poll_question: pollQuestion, poll_options: pollOptions }),
        'poll_options',
      ),
  )
  expectBadParam(await pro.create({ ...fields, poll_options: options(2) }), 'poll_question')
  const { id } = await pro.publish({ html: html('x') })
  expectRefusal(await pro.patch(id, { collect_votes: true }), 400)
  const page = await pro.update(id, {
    collect_votes: true,
    poll_question: pollQuestion,
    poll_options: options(2),
  })
  expectBadParam(await pro.patch(id, { poll_question: null }), 'poll_question')
  expectBadParam(await pro.patch(id, { poll_options: options(1) }), 'poll_options')
  expect(await pro.page(id)).toEqual(page)
})

test('responses_closed_at is settable through update, as a time or null', async () => {
  const { id } = await pro.publish({ html: html('x') })
  await pro.update(id, { responses_closed_at: inADay })
  await pro.update(id, { responses_closed_at: null })
  expectBadParam(await pro.patch(id, { responses_closed_at: 'soon' }), 'responses_closed_at')
})

test('a title may be changed, and a duplicate is 409 with nothing written', async () => {
  const taken = word('Taken')
  await pro.publish({ html: html('x'), title: taken })
  const page = await pro.publish({ html: html('x'), title: word('Mine') })
  const title = word('Renamed')
  expect((await pro.update(page.id, { title })).title).toBe(title)
  expect((await pro.update(page.id, { title })).title, 'its own title').toBe(title)
  const before = await pro.page(page.id)
  expectRefusal(
    await pro.patch(page.id, { title: taken, indexed: true, html: html('no') }),
    409,
    'duplicate_title',
  )
  expect(await pro.page(page.id)).toEqual(before)
  for (const bad of ['', '   ', 'x'.repeat(201), 5]) {
    expectBadParam(await pro.patch(page.id, { title: bad }), 'title')
  }
})

test('a slug can be changed, and the page moves with it', async () => {
  const words = word('moving')
  const page = await pro.publish({ html: html(words) })
  const slug = word('moved')
  const moved = await pro.update(page.id, { slug })
  expect(moved.slug).toBe(slug)
  expect(moved.url.endsWith(`/p/${slug}`)).toBe(true)
  expect((await visitor.open(slug)).text).toContain(words)
  const old = await visitor.open(page.slug)
  expect(old.status).toBe(404)
  expect(old.text).not.toContain(words)
  const stranger = await pro.publish({ html: html('x') })
  expectRefusal(await pro.patch(stranger.id, { slug }), 409, 'slug_taken')
  expectBadParam(await pro.patch(stranger.id, { slug: 'NO' }), 'slug')
})

const proSettings: Fields = {
  expires_at: inADay,
  max_views: 10,
  download_disabled: true,
  watermark: true,
  collect_approvals: true,
}

test('a free account that creates a page with a Pro setting is 402, and the page is not created', async () => {
  await everyCase(Object.entries(proSettings), async (value, name) => {
    const title = word('Pro')
    const fields = { html: html('x'), title, approver_emails: ['ann@example.com'] }
    const answer = await free.create({ ...fields, [name]: value })
    const error = expectRefusal(answer, 402, 'plan_required')
    expect(String(error.plan)).toMatch(/^(free|pro)$/i)
    expect((await free.everyPage()).filter((page) => page.title === title)).toEqual([])
    expect((await free.publish({ html: html('x'), title })).title).toBe(title)
  })
})

test('a free account that updates a page with a Pro setting is 402, and nothing is written', async () => {
  const page = await free.publish({ html: html('x') })
  await everyCase(Object.entries(proSettings), async (value, name) => {
    const fields = { [name]: value, approver_emails: ['ann@example.com'], html: html('changed') }
    expectRefusal(await free.patch(page.id, fields), 402, 'plan_required')
    expect(await free.page(page.id)).toEqual(page)
    expect(await free.draft(page.id)).toBe(html('x'))
  })
})

test('sending the default of a Pro setting does not enable it', async () => {
  const off = {
    expires_at: null,
    max_views: null,
    download_disabled: false,
    watermark: false,
    collect_approvals: false,
  }
  const page = await free.publish({ html: html('x'), ...off })
  expect(page).toMatchObject(off)
  expect(await free.update(page.id, off)).toMatchObject(off)
})

test('the free plan has full access control and every setting that is not Pro', async () => {
  const { max_views: _, download_disabled: __, watermark: ___, ...rest } = plain
  const page = await free.publish({ html: html('x'), ...rest, collect_votes: true })
  expect(page).toMatchObject({ ...rest, collect_votes: true })
  for (const access of ['people', 'private', 'password', 'email_gate', 'link']) {
    expect((await free.update(page.id, { access })).access).toBe(access)
  }
})

test('Pro and Team accounts may enable every Pro setting', async () => {
  const fields = { ...proSettings, approver_emails: ['ann@example.com'] }
  const page = await pro.publish({ html: html('x'), ...fields })
  expect(page).toMatchObject({ max_views: 10, download_disabled: true, collect_approvals: true })
  expect(Date.parse(page.expires_at!)).toBe(Date.parse(inADay))
})

test('max_views has a stated upper bound', async () => {
  const error = expectRefusal(await pro.create({ html: html('x'), max_views: 1e12 }), 400)
  expect(error).toMatchObject({
    param: 'max_views',
    message: expect.stringContaining('2,147,483,647'),
  })
  const { max_views: most } = await pro.publish({ html: html('x'), max_views: 2_147_483_647 })
  expect(most).toBe(2_147_483_647)
})

test('a setting without effect is never silent: refused where a page would be open, else warned of', async () => {
  const closed = { html: html('closed'), password: 'four short words' }
  for (const access of [undefined, 'link', 'private']) {
    const refused = await pro.create({ ...closed, access })
    expect(expectRefusal(refused, 400, 'contradictory_settings').param).toBe('password')
  }
  interface Warned {
    data: Page & { open_to: string }
    warnings: { code: string; param: string; message: string }[]
  }
  const created = await pro.create({ html: html('x'), allowed_emails: ['ann@example.com'] })
  const { data, warnings } = created.json as Warned
  expect([data.open_to, warnings]).toMatchObject([
    'anyone with the link',
    [{ code: 'no_effect', param: 'allowed_emails' }],
  ])
  expect(warnings[0]!.message).toContain('set access to people')
  const updated = (await pro.patch(data.id, { password: 'four short words' })).json as Warned
  expect(updated.warnings.map(({ code, param }) => [code, param])).toEqual([
    ['no_effect', 'password'],
  ])
  const people = { access: 'people', allowed_emails: [] }
  const nobody = (await pro.patch(data.id, people)).json as Warned
  expect([nobody.data.open_to, nobody.warnings.map(({ code }) => code)]).toEqual([
    'nobody: no one is invited',
    ['nobody_can_open'],
  ])
})
