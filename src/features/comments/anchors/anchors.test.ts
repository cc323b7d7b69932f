import { describe, expect, it, test } from 'bun:test'
import { type Anchor, anchorInput } from '../../../model/anchor.ts'
import { ENGINES, testApp } from '../../../testing/app.ts'
import { base64, fileOf } from '../../../testing/material.ts'
import { samplePdf } from '../../../testing/sample-pdf.ts'
import { createThread } from '../../../testing/test-comments.ts'
import { outcomeOf } from '../../../testing/test-form.ts'

const text = (quote: string, prefix = '', suffix = ''): Anchor => ({
  quote,
  prefix,
  suffix,
  element: null,
})
const IMG = { tag: 'img', text: '', selector: 'body > img' }

test('an anchor has the members of one kind, and nothing else', () => {
  const valid: object[] = [
    text('a'),
    { ...text(''), element: IMG },
    { sheet: 1, x: 0, y: 1 },
    { x: 0.5, y: 0.5 },
    { x: 0.5, y: 0.5, element: IMG },
  ]
  for (const anchor of valid) {
    expect(anchorInput.parse(anchor)).toEqual({ element: null, ...anchor } as Anchor)
  }
  const invalid: unknown[] = [
    {},
    text(' '),
    { quote: 'a', prefix: '' },
    { ...text('a'), x: 0.5, y: 0.5 },
    { sheet: 0, x: 0, y: 0 },
    { sheet: 1.5, x: 0, y: 0 },
    { sheet: 1, x: 0, y: 0, element: IMG },
    { x: 1.01, y: 0 },
    { x: Number.NaN, y: 0 },
    { x: 0.5 },
    text('a'.repeat(2001)),
    text('a', 'b'.repeat(201)),
    text('a\u0000'),
    text('\ud800'),
    { ...text('a'), html: '<b>' },
    { x: 0, y: 0, element: { tag: 'a b', text: '', selector: '' } },
    { x: 0, y: 0, element: { ...IMG, selector: 's'.repeat(501) } },
    { x: 0, y: 0, element: { ...IMG, more: 1 } },
  ]
  for (const anchor of invalid) expect(anchorInput.safeParse(anchor).success).toBe(false)
})

const HTML =
  '<title>Plan nine</title><style>p{}</style><p>One fish &amp; two\n fish,<b> red</b> fish.</p>' +
  '<script>const secret = "blue"</script><template>green</template><p>One bird.</p>'

for (const engine of ENGINES) {
  describe(`anchors on ${engine}`, () => {
    it('are exact where their words are once in the text of the version, with their context', async () => {
      await using app = await testApp(engine)
      const thread = await createThread(app, await app.owner(), { content: HTML })
      const states: [string, Anchor][] = [
        ['exact', text('two fish, red fish')],
        ['exact', text('two\u00a0fish,  \n red')],
        ['exact', text('fish', 'One ', ' & two')],
        ['exact', text('One', '', ' bird')],
        ['outdated', text('fish')],
        ['outdated', text('One')],
        ['outdated', text('whale')],
        ['outdated', text('blue')],
        ['outdated', text('green')],
        ['outdated', text('Plan nine')],
        ['outdated', text('fish', 'Two ', ' & two')],
        ['exact', { ...text(''), element: IMG }],
        ['exact', { x: 0.5, y: 0.5, element: IMG }],
      ]
      for (const [state, anchor] of states) {
        const comment = await thread.post('one', { anchor })
        expect([anchor, comment.anchor_state]).toEqual([anchor, state] as never)
        expect(comment.anchor).toEqual(anchor)
      }
    })

    it('are moved or outdated after a republish, exact again when it is undone, and keep their words', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { content: HTML })
      const anchors = [text('red fish'), text('One bird'), { ...text(''), element: IMG }]
      for (const anchor of anchors) await thread.post('one', { anchor })
      const states = async () => (await thread.threads()).map((each) => each.anchor_state)
      expect(await states()).toEqual(['exact', 'exact', 'exact'])
      await owner.edit(thread.id, 'One bird', 'Two birds', { publish: true })
      expect(await states()).toEqual(['moved', 'outdated', 'outdated'])
      expect((await thread.list()).map((each) => each.anchor_state)).toEqual(await states())
      expect((await thread.threads())[1]).toMatchObject({ anchor: anchors[1]!, version_no: 1 })
      await owner.edit(thread.id, 'red<', 'red fish, red<', { publish: true }).catch(() => null)
      await owner.ask('POST', `/pages/${thread.id}/versions/1/restore`, { publish: true })
      expect(await states()).toEqual(['exact', 'exact', 'exact'])
      await owner.edit(thread.id, 'One bird', 'red fish', { publish: true })
      expect(await states()).toEqual(['moved', 'outdated', 'outdated'])
    })

    it('follow edits among equal words, and are found after other writes by their surroundings', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { content: '<p>yes a</p><p>yes b</p>' })
      await thread.post('one', { anchor: text('yes', '', 'b') })
      const anchors = async () =>
        (await thread.threads()).map(({ anchor, anchor_state: state }) => [state, anchor])
      const moved = (prefix: string, suffix: string) => [['moved', text('yes', prefix, suffix)]]
      await owner.edit(thread.id, 'yes a', 'yes b', { publish: true })
      expect(await anchors()).toEqual(moved('yes b', 'b') as never)
      await owner.edit(thread.id, 'b</p><p>yes b', 'b</p><p>yes c', { publish: true })
      await owner.edit(thread.id, '<p>yes b', '<p>new yes b', { publish: true })
      expect(await anchors()).toEqual(moved('new yes b', 'c') as never)
      const publish = async (html: string) => {
        await owner.update(thread.id, { html })
        await owner.ask('POST', `/pages/${thread.id}/publish`)
      }
      await publish('<h1>All</h1><div>new yes b</div>yes c')
      expect(await anchors()).toEqual(moved('All new yes b', 'c') as never)
      for (const outdated of ['yes b yes d', 'All new yes b yes c. All new yes b yes c']) {
        await publish(outdated)
        expect(await anchors()).toEqual([['outdated', text('yes', '', 'b')]])
      }
      await publish('Others: new yes b yes c')
      expect(await anchors()).toEqual(moved('Others: new yes b', 'c') as never)
      await publish('<main>All new yes b <b>yes</b> c</main>')
      expect(await anchors()).toEqual(moved('All new yes b', 'c') as never)
    })

    it('are kept where their words stand once, whatever changed around them', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { content: '<p>a red fish, b</p><p>no</p>' })
      for (const anchor of [text('red fish', 'a', 'b'), text('no', 'b')]) {
        await thread.post('one', { anchor })
      }
      const states = async () => (await thread.threads()).map((each) => each.anchor_state)
      const publish = async (html: string) => {
        await owner.update(thread.id, { html })
        await owner.ask('POST', `/pages/${thread.id}/publish`)
        return states()
      }
      expect(await publish('<h1>Of fish</h1><p>the red\nfish is</p><p>nothing</p>')).toEqual([
        'moved',
        'outdated',
      ])
      expect(await publish('<p>x</p><p>a red fish, b no')).toEqual(['exact', 'exact'])
      expect(await publish('<p>the red fish and a red fish</p>')).toEqual(['outdated', 'outdated'])
      expect(await publish('<p>x a red fish, b nut or a red fish, c')).toEqual([
        'moved',
        'outdated',
      ])
      await owner.edit(thread.id, 'red fish, b nut', 'blue one, b nut', { publish: true })
      expect(await states()).toEqual(['moved', 'outdated'])
    })

    it('that are outdated say what stands there now in the published version, or why not', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [before, after] = ['Long words that stand before.', 'Long words that stand after.']
      const plan = (words: string) => `<h1>Plan</h1><p>${before} ${words} ${after}</p>`
      const content = { files: [{ path: 'index.html', html: plan('We meet in May.') }] }
      const thread = await createThread(app, owner, { content })
      const anchors = [text('We meet in May'), text('written by a script'), text('Plan')]
      for (const anchor of anchors) await thread.post('one', { path: 'index.html', anchor })
      const now = async () => (await thread.threads()).map((each) => each.anchor_now)
      const change = (html: string, path = 'index.html') =>
        owner.update(thread.id, { files: [{ path, html }], entry: path })
      const publish = async (...changed: Parameters<typeof change>) => {
        await change(...changed)
        await owner.ask('POST', `/pages/${thread.id}/publish`)
        return now()
      }
      const unplaced = { reason: 'unplaced', quote: null }
      const changed = (quote: string | null) => [{ reason: 'changed', quote }, unplaced, null]
      expect(await now()).toEqual([null, unplaced, null] as never)
      expect(await publish(plan('It <b>begins</b> &amp; ends in June.'))).toEqual(
        changed('It begins & ends in June') as never,
      )
      expect((await thread.list()).map((each) => each.anchor_now)).toEqual(await now())
      expect(await publish(plan('.'))).toEqual(changed('') as never)
      expect(await publish(plan(`${'é'.repeat(199)}😀.`))).toEqual(
        changed(`${'é'.repeat(199)}\ufffd…`) as never,
      )
      const uncertain = [
        [plan('It begins in June.').repeat(2), 'twice'],
        [`${after} It begins. ${before} Plan`, 'in another order'],
        [`${before.slice(0, 12)} It begins. ${after} Plan`, 'in other surroundings'],
        [plan(`${'so much more '.repeat(300)}.`), 'far apart'],
      ] as const
      for (const [html, why] of uncertain) {
        const [first] = await publish(html)
        expect([why, first]).toEqual([why, { reason: 'changed', quote: null }])
      }
      await publish(plan('Shown.'))
      await change(plan('Not shown yet.'))
      expect((await now())[0]).toEqual({ reason: 'changed', quote: 'Shown' })
      await owner.ask('DELETE', `/pages/${thread.id}/publish`)
      expect((await thread.list())[0]!.anchor_now).toEqual({ reason: 'changed', quote: null })
      // Edits say where it is among equal surroundings.
      const rows = await createThread(app, owner, { content: '<p>yes a</p><p>yes b</p>' })
      await rows.post('one', { anchor: text('yes', '', 'b') })
      await owner.edit(rows.id, '<p>yes b', '<p>Not any more b', { publish: true })
      expect((await rows.threads())[0]!.anchor_now).toEqual({
        reason: 'changed',
        quote: 'Not any more',
      })
      const gone = { reason: 'file_gone' as const, quote: null }
      expect(await publish(plan('We meet in May.'), 'b.html')).toEqual([gone, gone, gone])
    })

    it('of a deck belong to their file', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const files = [
        { path: 'index.html', html: '<p>a bird' },
        { path: 'b.html', html: '<p>a fish' },
      ]
      const thread = await createThread(app, owner, { content: { files } })
      const anchor = text('a fish')
      await thread.post('one', { path: 'index.html', anchor })
      await thread.post('one', { path: 'b.html', anchor })
      const states = async () => (await thread.threads()).map((each) => each.anchor_state)
      expect(await states()).toEqual(['outdated', 'exact'])
      const edited = { file: 'index.html', publish: true }
      await owner.edit(thread.id, 'a bird', 'a fish', edited)
      expect(await states()).toEqual(['outdated', 'exact'])
      await owner.update(thread.id, { files: [files[0]!] })
      await owner.ask('POST', `/pages/${thread.id}/publish`)
      expect(await states()).toEqual(['outdated', 'outdated'])
    })

    it('of a page that becomes a deck are looked for where it opens', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { content: '<p>a fish' })
      await thread.post('one', { anchor: text('a fish') })
      const files = [
        { path: 'a.html', html: '<p>a bird' },
        { path: 'plan.html', html: '<h1>Plan</h1><p>a fish' },
      ]
      const deck = { files, entry: 'plan.html', becomes_deck: true }
      await owner.update(thread.id, deck)
      await owner.ask('POST', `/pages/${thread.id}/publish`)
      expect((await thread.threads()).map((each) => each.anchor_state)).toEqual(['exact'])
    })

    it('of a PDF are on sheets that it has: another is refused to its owner and to viewers', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pdf = { file_base64: base64(samplePdf({ pages: 3 })), filename: 'a.pdf' }
      const thread = await createThread(app, owner, { content: pdf })
      const spot = { x: 1, y: 0 }
      for (const sheet of [4, 99, 100_000]) {
        const anchor = { sheet, ...spot }
        const path = `/pages/${thread.id}/comments`
        const { status, body } = await owner.refused('POST', path, { body: 'x', anchor })
        expect([status, body.error]).toMatchObject([
          400,
          {
            code: 'bad_anchor',
            param: 'anchor.sheet',
            message: 'anchor.sheet: the PDF has 3 sheets.',
          },
        ])
        const posted = thread.post('one', { anchor: { ...anchor, element: null } })
        expect(await outcomeOf(posted)).toBe('bad_anchor')
      }
      expect(await thread.threads()).toEqual([])
      await thread.write('On the last one', { anchor: { sheet: 3, ...spot } })
      await thread.post('one', { anchor: { sheet: 1, ...spot, element: null } })
      expect(await thread.threads()).toMatchObject([
        { anchor: { sheet: 3 } },
        { anchor: { sheet: 1 } },
      ])
    })

    it('of PDFs and images are spots, exact in the same bytes alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const png = { file_base64: base64(fileOf('png')), filename: 'a.png' }
      const image = await createThread(app, owner, { content: png })
      const pdf = { file_base64: base64('%PDF-1.7\nhello'), filename: 'a.pdf' }
      const sheets = await createThread(app, owner, { content: pdf })
      const spot = { x: 0.25, y: 0.75, element: null }
      const sheet = { sheet: 3, ...spot }
      expect(await image.post('one', { anchor: spot })).toMatchObject({ anchor_state: 'exact' })
      expect(await sheets.post('one', { anchor: sheet })).toMatchObject({ anchor_state: 'exact' })
      for (const refused of [
        () => image.post('one', { anchor: sheet }),
        () => image.post('one', { anchor: text('a') }),
        () => image.post('one', { anchor: { ...spot, element: IMG } }),
        () => sheets.post('one', { anchor: spot }),
        () => sheets.post('one', { anchor: text('hello') }),
      ]) {
        expect(await outcomeOf(refused())).toBe('bad_anchor')
      }
      const changed = { file_base64: base64('%PDF-1.7\nhallo'), filename: 'a.pdf' }
      await owner.update(sheets.id, changed)
      await owner.ask('POST', `/pages/${sheets.id}/publish`)
      const anchor_now = { reason: 'unplaced', quote: null }
      expect(await sheets.threads()).toMatchObject([
        { anchor: sheet, anchor_state: 'outdated', anchor_now },
      ])
    })
  })
}
