import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FormControl } from '../../../model/form.ts'
import { mergeControls } from './forms.ts'
import { scanHtml } from './scan.ts'

const controls = (html: string) => scanHtml(Buffer.from(html)).controls
const inForm = (html: string) => controls(`<form data-service>${html}</form>`)
/** Each field as `name kind`. */
const kinds = (results: FormControl[]) => results.map(({ name, kind }) => `${name} ${kind}`)
const names = (html: string) => controls(html).map(({ name }) => name)

describe('the kind of a field', () => {
  test.each<[string, ...string[]]>([
    ['<input name=a>', 'a text'],
    ['<INPUT NAME=a TYPE=Text>', 'a text'],
    ['<textarea name=a><input name=b></textarea>', 'a text'],
    ['<input name=a type=number>', 'a number'],
    ['<input name=a type=RANGE>', 'a number'],
    ['<input name=a type=checkbox value=yes>', 'a boolean'],
    ['<input name=a type=checkbox><input name=a type=checkbox>', 'a multi'],
    ['<input name=a type=radio>', 'a choice'],
    ['<input name=a type=radio><p><input name=a type=radio></p>', 'a choice'],
    ['<select name=a><option>1</select>', 'a choice'],
    ['<select name=a multiple></select>', 'a multi'],
    ['<input name=a type=hidden>', 'a text'],
    ['<input name=a type=file>', 'a text'],
    ['<input name=a type=password>', 'a text'],
    ['<input name=a type=date>', 'a text'],
    ['<input name=a type=" radio">', 'a text'],
    ['<input name=a type=select multiple>', 'a text'],
    ['<textarea name=a type=radio></textarea>', 'a text'],
    ['<input name=b><input name=a>', 'b text', 'a text'],
    ['<input name=__proto__ type=constructor>', '__proto__ text'],
    // Several values of one name are sent as a list.
    ['<input name=a><input name=b><input name=a>', 'a multi', 'b text'],
    ['<input name=a type=number><input name=a type=number>', 'a multi'],
    ['<input name=a type=radio><input name=a type=radio><input name=a>', 'a multi'],
    ['<input name=a><input name=a type=checkbox>', 'a multi'],
    ['<select name=a></select><select name=a></select>', 'a multi'],
  ])('%s', (html, ...expected) => {
    expect(kinds(inForm(html))).toEqual(expected)
  })

  test('is that of the first form that has the field', () => {
    const form = (html: string) => `<form data-service>${html}</form>`
    const html = [
      form('<input name=a type=checkbox><input name=b type=number>'),
      form('<input name=a type=checkbox><input name=b><input name=c>'),
    ].join('')
    expect(kinds(controls(html))).toEqual(['a boolean', 'b number', 'c text'])
  })
})

describe('no field', () => {
  test.each([
    '<input>',
    '<input name>',
    '<input name="">',
    '<input type=hidden>',
    '<input data-label=Question>',
    '<input name=a type=submit>',
    '<input name=a type=Image>',
    '<input name=a type=reset>',
    '<input name=a type=button>',
    '<button name=a>',
    '<div name=a contenteditable>',
    '<output name=a></output><object name=a></object><meta name=a>',
    '<!-- <input name=a> -->',
    '<template><input name=a></template>',
    '<template><template></template><input name=a></template>',
    '<svg><input name=a></svg>',
    '<math><input name=a></math>',
    '<noscript><input name=a></noscript>',
    '<script>"<input name=a>"</script>',
    `<input name=${'a'.repeat(1001)}>`,
  ])('is in %s', (html) => {
    expect(inForm(html)).toEqual([])
  })
})

describe('the fields of a page', () => {
  test.each<[string, string]>([
    ['<form><input name=a></form>', ''],
    ['<form data-services><input name=a></form>', ''],
    ['<input name=a><form data-service></form><input name=b>', ''],
    ['<FORM DATA-SERVICE=""><input name=a>', 'a'],
    ['<form data-service><input name=a><input name=b', 'a'],
    ['<form data-service><input name=a></form><form><input name=b></form>', 'a'],
    ['<form><input name=a></form><form data-service><input name=b></form>', 'b'],
    // Parsers ignore a form in an open form, and its end tag closes the outer one.
    ['<form data-service><form><input name=a></form><input name=b></form>', 'a'],
    ['<form><form data-service><input name=a></form><input name=b></form>', ''],
    // The last form tag decides, not the nesting.
    ['<div><form data-service></div><input name=a></form><input name=b>', 'a'],
    ['<table><form data-service><tr><td><input name=a></table></form>', 'a'],
    ['<form data-service><div></form><input name=a></div>', ''],
    // By the form's id: before the form, after it, and in another form.
    ['<input name=a form=f><form id=f data-service></form><input name=b form=f>', 'a b'],
    ['<form data-service id=f><input name=a form=g><input name=b></form><form id=g></form>', 'b'],
    ['<form id=g><input name=a form=f></form><form data-service id=f></form>', 'a'],
    ['<form data-service id=f><input name=a form=""><input name=b form=nothing></form>', ''],
    ['<form data-service id="a&amp;b"></form><input name=a form="a&#38;b">', 'a'],
    ['<form id=f></form><form data-service id=f></form><input name=a form=f>', ''],
    ['<form data-service id=f></form><input name=a form=F>', ''],
    ['<form data-service id=""></form><input name=a form="">', ''],
    // The content of a template is not part of the document until a script inserts it.
    ['<template><form data-service><input name=a></form></template><input name=b>', ''],
    ['<form data-service><template></form></template><input name=a>', 'a'],
    ['<template><form data-service id=f></form></template><input name=a form=f>', ''],
    ['<svg><form data-service><input name=a></svg><input name=b>', ''],
    ['<svg><foreignObject><form data-service><input name=a></form></svg>', 'a'],
    ['<noscript><form data-service><input name=a></form></noscript>', ''],
  ])('%s', (html, expected) => {
    expect(names(html).join(' ')).toBe(expected)
  })

  test('have the names that the browser sends', () => {
    const html = '<input name="a &amp; b"><input name=" é "><input name=2><input name=a.b>'
    expect(inForm(html).map(({ name }) => name)).toEqual(['a & b', ' é ', '2', 'a.b'])
    expect(inForm(`<input name=${'a'.repeat(1000)}>`)).toHaveLength(1)
    expect(inForm('<input name="a\0b">')).toEqual([])
  })

  test('are at most five hundred, the first ones', () => {
    const many = Array.from({ length: 700 }, (_, n) => `<input type=radio name=n${n}>`)
    const results = inForm([...many, ...many].join(''))
    expect(results).toHaveLength(500)
    expect(kinds(results).at(-1)).toBe('n499 choice')
  })
})

describe('the label', () => {
  const radio = (rest: string) => `<input type=radio name=a ${rest}>`
  test.each<[string, string | null]>([
    ['<input name=a data-label=Name>', 'Name'],
    [
      '<textarea name=a data-label="  Your \n\t name &amp; more&nbsp;"></textarea>',
      'Your name & more',
    ],
    ['<input name=a>', null],
    ['<input name=a data-label>', null],
    ['<input name=a data-label=" &#32; ">', null],
    ['<label>Name <input name=a aria-label=Name title=Name></label>', null],
    [radio('') + radio('data-label=Second') + radio('data-label=Third'), 'Second'],
    [`<fieldset data-label=Group>${radio('')}${radio('')}</fieldset>`, 'Group'],
    [`<fieldset data-label=Group><fieldset>${radio('')}</fieldset></fieldset>`, 'Group'],
    [`<fieldset data-label=Group><fieldset data-label=Own>${radio('')}</fieldset>`, 'Own'],
    [`<fieldset data-label=Group>${radio('data-label=Own')}</fieldset>`, 'Own'],
    [`<fieldset data-label=Group>${radio('')}<input name=b></fieldset>`, 'Group'],
    [`<fieldset data-label=Group>${radio('')}<input type=checkbox name=b></fieldset>`, null],
    [`<fieldset data-label=Group></fieldset>${radio('')}`, null],
    ['<fieldset data-label=Group><input name=a></fieldset>', null],
    [`<svg><fieldset data-label=Group></svg>${radio('')}`, null],
    [`</fieldset>${radio('')}`, null],
  ])('of %s', (html, label) => {
    expect(inForm(html)[0]).toMatchObject({ name: 'a', label })
  })

  test('is cut at 200 characters, and is always text', () => {
    const { label } = inForm(`<input name=a data-label="x${'😀'.repeat(500)}">`)[0]!
    expect(label).toHaveLength(200)
    expect(label!.isWellFormed()).toBe(true)
  })

  test('is the first one in any of the forms', () => {
    const unlabelled: FormControl = { name: 'a', label: null, kind: 'number' }
    const merged = mergeControls(
      [[unlabelled], [{ name: 'a', label: 'A', kind: 'text' }], [{ ...unlabelled, label: 'B' }]],
      10,
    )
    expect(merged).toEqual([{ name: 'a', label: 'A', kind: 'number' }])
  })
})

/** A document as a tree, in which forms are not nested. */
type Node =
  | { is: 'form'; id: string; isService: boolean; inside: Node[] }
  | { is: 'div' | 'template'; inside: Node[] }
  | { is: 'input'; name: string; form: string | null }

const input = fc.record({
  is: fc.constant('input' as const),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  form: fc.constantFrom(null, null, 'f', 'g', 'h'),
})
const box = (inside: fc.Arbitrary<Node>) =>
  fc.record({
    is: fc.constantFrom('div' as const, 'div' as const, 'template' as const),
    inside: fc.array(inside, { maxLength: 3 }),
  })
const inner = fc.oneof(input, input, box(input))
const form = fc.record({
  is: fc.constant('form' as const),
  id: fc.constantFrom('f', 'g', ''),
  isService: fc.boolean(),
  inside: fc.array(inner, { maxLength: 4 }),
})
const documents = fc.array(fc.oneof(form, form, input, box(fc.oneof(form, input))), {
  maxLength: 6,
})

function htmlOf(node: Node): string {
  if (node.is === 'input') {
    return `<input name=${node.name}${node.form === null ? '' : ` form=${node.form}`}>`
  }
  const inside = node.inside.map(htmlOf).join('')
  if (node.is !== 'form') return `<${node.is}>${inside}</${node.is}>`
  return `<form id="${node.id}" ${node.isService ? 'data-service' : ''}>${inside}</form>`
}

/** The controls in document order, each with the form around it, without those in templates. */
function* walk(nodes: Node[], around: Node | null = null): Generator<[Node, Node | null]> {
  for (const node of nodes) {
    yield [node, around]
    if (node.is === 'form') yield* walk(node.inside, node)
    if (node.is === 'div') yield* walk(node.inside, around)
  }
}

test('the fields of any page are those of the forms in its tree', () => {
  fc.assert(
    fc.property(documents, (nodes) => {
      const all = [...walk(nodes)]
      const named = (id: string) => all.find(([node]) => node.is === 'form' && node.id === id)?.[0]
      const expected = all.flatMap(([node, around]) => {
        if (node.is !== 'input') return []
        const owner = node.form === null ? around : named(node.form)
        return owner?.is === 'form' && owner.isService ? [node.name] : []
      })
      expect(names(nodes.map(htmlOf).join('\n'))).toEqual([...new Set(expected)])
    }),
    { numRuns: 5000 },
  )
})
