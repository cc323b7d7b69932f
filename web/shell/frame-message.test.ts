import { describe, expect, test } from 'bun:test'
import { type FrameMessage, readMessage, STORAGE_QUOTA_CHARS } from './frame-message.ts'

const control = { name: 'a', label: null, kind: 'text' } as const
const submission = { stamp: 's', id: 'x', data: '{}', controls: [control] }
const areas = { local: [], session: [], cookie: [] }
const handover = { nonce: 'n', shell_origin: 'http://a.test', paths: ['a.html'], ...areas }

const passage = { quote: 'q', prefix: '', suffix: 's' }
const inWindow = { top: 0, left: 1, bottom: -2, right: 3.5 }
const selection = { ...passage, ...inWindow }

const spot = { x: 0, y: 1, element: { tag: 'img', text: '', selector: '#map' } } as const
const picked = { ...spot, ...inWindow }
const placed = { id: 'cmt_1', left: -0.5, top: 1e6, is_visible: false }

const WELL_FORMED: FrameMessage[] = [
  { type: 'handover', ...handover, local: [['key', 'value']], cookie: [['', '0 x']] },
  { type: 'connect', nonce: 'n' },
  { type: 'location', path: 'a/b.html?q#h', title: '' },
  { type: 'navigate', path: '' },
  { type: 'traverse', delta: -1 },
  { type: 'storage', area: 'local', key: '', value: 'v' },
  { type: 'storage', area: 'cookie', key: '__proto__', value: null },
  { type: 'storage-clear', area: 'session' },
  { type: 'height', pixels: -0.5 },
  { type: 'viewport', content: '' },
  { type: 'submit', submission: { ...submission, name: 'Ada', trap: '' } },
  { type: 'relay', files: '/p/a/~t/', submission },
  { type: 'storage-event', key: 'k', old_value: null, value: 'v' },
  { type: 'renew' },
  { type: 'relay-renew', files: '/p/a/~t/' },
  { type: 'files', url: '/p/a/~u/' },
  { type: 'selection', selection },
  { type: 'selection', selection: null },
  { type: 'spot', spot: picked },
  { type: 'spot', spot: null },
  { type: 'candidate', candidate: { tag: 'my-chart', text: '', ...inWindow } },
  { type: 'candidate', candidate: null },
  { type: 'picked', picked: { ...spot, passage } },
  { type: 'picked', picked: { ...spot, passage: null } },
  { type: 'picked', picked: null },
  { type: 'pick-at', left: -1, top: 2.5, scroll_x: 0, scroll_y: -120 },
  { type: 'pick-step', step: 'inner' },
  { type: 'pick-end', is_taken: false },
  { type: 'ready-for-marks' },
  { type: 'marks-placed', spots: [placed, { ...placed, is_visible: true }] },
  { type: 'marks-shown', ids: ['cmt_1'] },
  { type: 'marks-moved', marks: [{ id: 'cmt_1', top: -0.5 }] },
  { type: 'follow-marks', is_on: true },
  { type: 'mark-click', id: 'cmt_1' },
  { type: 'marks', marks: [{ id: 'cmt_1', ...passage }], spots: [{ id: 'cmt_2', ...spot }] },
  { type: 'reveal', id: 'cmt_1' },
  { type: 'answer', status: 0, retry_after_s: null, body: null },
  { type: 'answer', status: 409, retry_after_s: 1, body: { error: { code: 'closed' } } },
]

const WRONG_ELEMENTS = [
  { tag: '' },
  { tag: 'p>b' },
  { tag: 'x'.repeat(101) },
  { tag: ['img'] },
  { text: null },
  { text: 'x'.repeat(201) },
  { selector: {} },
  { selector: 'x'.repeat(501) },
].map((wrong) => ({ ...spot.element, ...wrong }))

const large = 'x'.repeat(STORAGE_QUOTA_CHARS + 1)
const MALFORMED: Record<FrameMessage['type'], unknown[]> = {
  handover: [
    ...[{}, { ...handover, nonce: 1 }, { ...handover, nonce: 'n'.repeat(101) }],
    { ...handover, shell_origin: null },
    { ...handover, local: undefined },
    { ...handover, session: {} },
    ...[[['a']], [['a', 1]], ['ab'], [null], [{ 0: 'a', 1: 'b' }], Array(1), [['a', large]]].map(
      (local) => ({ ...handover, local }),
    ),
  ],
  connect: [{}, { nonce: null }, { nonce: ['n'] }, { nonce: 'n'.repeat(101) }],
  location: [
    ...[{ path: 'a' }, { title: 'a' }, { path: null, title: '' }, { path: '', title: 1 }],
    { path: 'a'.repeat(8001), title: '' },
    { path: '', title: 'a'.repeat(501) },
  ],
  traverse: [{}, { delta: null }, { delta: '-1' }, { delta: Number.NaN }],
  navigate: [{}, { path: {} }, { path: new URL('http://a.test') }, { path: 'a'.repeat(8001) }],
  storage: [
    ...[
      { key: 'k', value: 'v' },
      { area: 'local', key: 'k' },
      { area: 'local', value: 'v' },
    ],
    { area: 'local', key: null, value: null },
    ...['handbill:page:other', '__proto__', 'Local', null, ['local']].map((area) => {
      return { area, key: 'k', value: 'v' }
    }),
    { area: 'local', key: 'k', value: 1 },
    { area: 'local', key: 'k', value: large },
    { area: 'local', key: large, value: null },
  ],
  'storage-clear': [{}, { area: 'all' }, { area: null }],
  viewport: [{}, { content: null }, { content: 5 }, { content: 'x'.repeat(1001) }],
  height: [{}, { pixels: '5' }, { pixels: null }, { pixels: Number.NaN }, { pixels: Infinity }],
  submit: [
    {},
    ...[null, 'x', [], { ...submission, stamp: undefined }, { ...submission, id: 1 }],
    { ...submission, data: {} },
    { ...submission, data: 'x'.repeat(300_001) },
    { ...submission, name: 5 },
    { ...submission, trap: null },
    ...[undefined, 'none', { length: 1 }, [null], Array(1), Array(1001).fill(control)].map(
      (controls) => ({ ...submission, controls }),
    ),
    ...[{ name: 'a' }, { ...control, kind: 'other' }, { ...control, label: 'x'.repeat(1001) }].map(
      (wrong) => ({ ...submission, controls: [wrong] }),
    ),
  ].map((wrong) => ({ submission: wrong })),
  renew: [],
  'relay-renew': [{}, { files: null }, { files: 'a'.repeat(8001) }],
  files: [{}, { url: {} }, { url: 'a'.repeat(8001) }],
  relay: [{ submission }, { files: null, submission }, { files: '/p/a/~t/', submission: {} }],
  'storage-event': [
    ...[
      { key: 'k', value: 'v' },
      { key: null, old_value: null, value: null },
    ],
    { key: 'k', old_value: 'v', value: 1 },
  ],
  selection: [
    ...[{}, { selection: 'q' }, { selection: passage }],
    ...[{ quote: 1 }, { quote: 'q'.repeat(2001) }, { prefix: 'p'.repeat(161) }, { top: '0' }].map(
      (wrong) => ({ selection: { ...selection, ...wrong } }),
    ),
  ],
  spot: [
    ...[{}, { spot: 'q' }, { spot }, { spot: { ...picked, element: null } }],
    ...[{ x: -0.1 }, { x: 1.1 }, { y: '0' }, { y: Number.NaN }, { top: null }].map((wrong) => ({
      spot: { ...picked, ...wrong },
    })),
    ...WRONG_ELEMENTS.map((element) => ({ spot: { ...picked, element } })),
  ],
  candidate: [
    ...[{}, { candidate: {} }, { candidate: { tag: 'p', text: '' } }],
    ...[{ tag: 'p q' }, { text: null }, { text: 'x'.repeat(201) }, { left: '1' }].map((wrong) => {
      return { candidate: { tag: 'p', text: '', ...inWindow, ...wrong } }
    }),
  ],
  picked: [
    ...[{}, { picked: {} }, { picked: spot }, { picked: { ...spot, passage: {} } }],
    ...WRONG_ELEMENTS.map((element) => ({ picked: { ...spot, element, passage: null } })),
    { picked: { ...spot, x: 1.1, passage: null } },
    { picked: { ...spot, passage: { ...passage, quote: 'x'.repeat(2001) } } },
  ],
  'pick-at': [{}, { left: 0, top: 0 }, { left: 0, top: '0', scroll_x: 0, scroll_y: 0 }],
  'pick-step': [{}, { step: 'up' }, { step: ['next'] }, { step: '__proto__' }],
  'pick-end': [{}, { is_taken: 1 }, { is_taken: null }],
  'ready-for-marks': [],
  'marks-shown': [{}, { ids: 'cmt_1' }, { ids: [1] }, { ids: Array(1001).fill('cmt_1') }],
  'marks-placed': [
    ...[{}, { spots: {} }, { spots: [null] }, { spots: Array(201).fill(placed) }],
    ...[
      { id: 1 },
      { id: 'i'.repeat(101) },
      { left: '0' },
      { top: Infinity },
      { is_visible: 1 },
    ].map((wrong) => ({ spots: [{ ...placed, ...wrong }] })),
  ],
  'marks-moved': [
    ...[{}, { marks: {} }, { marks: [null] }, { marks: Array(301).fill({ id: 'a', top: 0 }) }],
    ...[{ id: 1 }, { id: 'i'.repeat(101) }, { top: '0' }, { top: Number.NaN }, { top: null }].map(
      (wrong) => ({ marks: [{ id: 'cmt_1', top: 0, ...wrong }] }),
    ),
  ],
  'follow-marks': [{}, { is_on: 1 }],
  'mark-click': [{}, { id: null }, { id: 'i'.repeat(101) }],
  marks: [
    ...[{}, { marks: [] }, { marks: {}, spots: [] }, { marks: [], spots: [spot] }],
    ...[[passage], [{ id: 'cmt_1' }]].map((marks) => ({ marks, spots: [] })),
    ...WRONG_ELEMENTS.map((element) => ({ marks: [], spots: [{ ...spot, id: 'a', element }] })),
    { marks: [], spots: Array(201).fill({ ...spot, id: 'a' }) },
  ],
  reveal: [{}, { id: {} }],
  answer: [
    ...[{}, { status: '200', retry_after_s: null }, { status: 200, retry_after_s: '1' }],
    { status: Number.NaN, retry_after_s: null, body: null },
  ],
}
const TYPES = Object.keys(MALFORMED) as FrameMessage['type'][]

describe('a frame message', () => {
  test.each(WELL_FORMED)('of type $type is read whole', (message) => {
    expect(readMessage(structuredClone(message), ...TYPES)).toEqual(message)
  })

  test.each(TYPES)('of type %s is dropped where a field is missing or of another type', (type) => {
    for (const fields of MALFORMED[type]) {
      const text = JSON.stringify(fields).slice(0, 100)
      expect(readMessage({ ...(fields as object), type }, type), text).toBeNull()
    }
  })

  test('places nothing further away than a page may reach', () => {
    const far = [1e300, -1e300, 5].map((top) => ({ id: 'a', top }))
    const read = readMessage({ type: 'marks-moved', marks: far }, 'marks-moved')
    expect(read?.marks.map(({ top }) => top)).toEqual([1e6, -1e6, 5])
    const spots = [{ ...placed, left: -1e9, top: 1e9 }]
    expect(readMessage({ type: 'marks-placed', spots }, 'marks-placed')?.spots).toEqual([
      { ...placed, left: -1e6, top: 1e6 },
    ])
  })

  test('is dropped where its receiver does not expect its type', () => {
    for (const message of WELL_FORMED) {
      const others = TYPES.filter((type) => type !== message.type)
      expect(readMessage(message, ...others)).toBeNull()
    }
  })

  test('is dropped where it is no object, or has no known type', () => {
    const nonsense = [null, undefined, 0, '', 'connect', true, [], ['connect'], new Map(), 10n]
    for (const type of ['', 'constructor', '__proto__', 'toString', null, 1, ['connect'], {}]) {
      nonsense.push({ ...handover, ...submission, type } as never)
    }
    for (const value of nonsense) expect(readMessage(value, ...TYPES)).toBeNull()
  })

  test('is read without the fields that its type does not have', () => {
    const extra = { token: 'mine', url: 'https://elsewhere.example' }
    const sent = {
      ...{ type: 'submit', key: 'handbill:page:other', ...extra },
      submission: { ...submission, ...extra, controls: [{ ...control, ...extra }] },
    }
    expect(readMessage(sent, 'submit')).toStrictEqual({ type: 'submit', submission })
    const polluting = JSON.parse('{"type":"navigate","path":"a","__proto__":{"token":"mine"}}')
    expect(readMessage(polluting, 'navigate')).toStrictEqual({ type: 'navigate', path: 'a' })
  })
})
