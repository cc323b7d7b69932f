import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../../acceptance/browser.ts'
import { testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

/** Submits a form with these controls, and returns the submission. */
async function submit(controls: string) {
  const { tab } = await runtime().open(`<form id=form data-service>${controls}
<button id=send>Send</button></form>`)
  await tab.waitForSelector('#send')
  await tab.evaluate(() => document.getElementById('send')!.click())
  await becomes(() => runtime().server.received.length, 1)
  return runtime().server.received[0]!
}

const CONTROLS: [markup: string, data: string, kind: string][] = [
  ['<input name=f value=" as typed ">', '{"f":" as typed "}', 'text'],
  ['<input name=f>', '{"f":""}', 'text'],
  ['<input name=f type=hidden value=h>', '{"f":"h"}', 'text'],
  ['<input name=f type=email value=a@b.c>', '{"f":"a@b.c"}', 'text'],
  ['<input name=f type=password value=p>', '{"f":"p"}', 'text'],
  ['<input name=f type=date value=2026-11-21>', '{"f":"2026-11-21"}', 'text'],
  ['<input name=f type=time value=10:30>', '{"f":"10:30"}', 'text'],
  ['<input name=f type=color value="#ff0000">', '{"f":"#ff0000"}', 'text'],
  ['<textarea name=f>\none\ntwo "3"</textarea>', '{"f":"one\\ntwo \\"3\\""}', 'text'],
  ['<input name=f type=number value=007.50 step=any>', '{"f":7.5}', 'number'],
  ['<input name=f type=number>', '{}', 'number'],
  ['<input name=f type=range min=0 max=10 value=3>', '{"f":3}', 'number'],
  ['<input name=f type=checkbox>', '{"f":false}', 'boolean'],
  ['<input name=f type=checkbox checked value=yes>', '{"f":true}', 'boolean'],
  [
    '<input name=f type=checkbox value=a checked><input name=f type=checkbox value=b>',
    '{"f":["a"]}',
    'multi',
  ],
  ['<input name=f type=checkbox value=a><input name=f type=checkbox>', '{"f":[]}', 'multi'],
  ['<input name=f type=radio value=a><input name=f type=radio value=b>', '{}', 'choice'],
  [
    '<input name=f type=radio value=a><input name=f type=radio value=b checked>',
    '{"f":"b"}',
    'choice',
  ],
  ['<select name=f><option>x<option value=y selected>Why</select>', '{"f":"y"}', 'choice'],
  ['<select name=f><option disabled selected>Choose<option>x</select>', '{}', 'choice'],
  [
    '<select name=f multiple><option selected>x<option>y<option selected>z</select>',
    '{"f":["x","z"]}',
    'multi',
  ],
  ['<select name=f multiple><option>x</select>', '{"f":[]}', 'multi'],
  ['<input name=f value=1><input name=f value=2>', '{"f":["1","2"]}', 'multi'],
  ['<input name=f type=number value=1><input name=f type=number value=2>', '{"f":[1,2]}', 'multi'],
]

test('each kind of control is sent with its typed value', async () => {
  const forms = CONTROLS.map(([markup]) => `<form data-service>${markup}</form>`)
  const { tab } = await runtime().open(forms.join(''))
  await tab.waitForLoadState()
  await tab.evaluate(() => [...document.forms].map((form) => form.requestSubmit()))
  await becomes(() => runtime().server.received.length, CONTROLS.length)
  const received = runtime().server.received.map(({ data, controls }, at) => {
    return [CONTROLS[at]![0], data, controls]
  })
  const expected = CONTROLS.map(([markup, data, kind]) => {
    return [markup, data, [{ name: 'f', label: null, kind }]]
  })
  expect(received).toEqual(expected as typeof received)
})

test('what a browser would not submit is not sent', async () => {
  const { data, controls, trap } = await submit(`<input value=unnamed><input name="" value=empty>
<input name=off disabled value=x><input name=upload type=file><output name=out>5</output>
<fieldset disabled><legend><input name=legend value=stays></legend><input name=in value=x></fieldset>
<button name=other value=x type=button>o</button><button name=second value=x>s</button>`)
  expect(data).toBe('{"legend":"stays"}')
  expect(controls.map(({ name }) => name)).toEqual(['off', 'legend', 'in'])
  expect(trap).toBeUndefined()
})

test('any name is sent unchanged, in document order', async () => {
  const names = ['z', '10', '2', '__proto__', 'constructor', 'a.b', 'a[]', 'elements', 'append']
  names.push('id', 'name', 'dataset', 'parentNode', 'toString', 'ünï "q" \\', '</script>')
  const { data, controls } = await submit('')
  expect([data, controls]).toEqual(['{}', []])
  await runtime().clear()
  const inputs = names.map((name) => `<input name='${name}' value=1>`).join('')
  const received = await submit(inputs)
  const members = names.map((name) => `${JSON.stringify(name)}:"1"`)
  expect(received.data).toBe(`{${members.join(',')}}`)
  expect(received.controls.map(({ name }) => name)).toEqual(names)
})

test('the pressed button and controls outside the form are sent in document order', async () => {
  const { tab } = await runtime().open(`<input name=first value=1 form=form>
<form id=form data-service><button name=go value=a>A</button><button id=b name=go value=b
data-label="Way">B</button><input name=last value=9></form><input name=after value=0 form=form>`)
  await tab.click('#b')
  await becomes(() => runtime().server.received.length, 1)
  const { data, controls } = runtime().server.received[0]!
  expect(data).toBe('{"first":"1","go":"b","last":"9","after":"0"}')
  expect(controls[1]).toEqual({ name: 'go', label: 'Way', kind: 'text' })
})

test('a label is the control’s own, or that of a fieldset with no other field', async () => {
  const { controls } = await submit(`<input name=a data-label=" The first ">
<fieldset data-label=Colour><input type=radio name=c value=1><input type=radio name=c value=2></fieldset>
<fieldset data-label=Both><input type=radio name=d value=1><input type=checkbox name=e></fieldset>`)
  const labels = controls.map(({ name, label }) => [name, label])
  expect(labels).toEqual([
    ['a', 'The first'],
    ['c', 'Colour'],
    ['d', null],
    ['e', null],
  ])
})

test('custom elements are sent, and what a script adds to the form data', async () => {
  const { data, controls } = await submit(
    `<x-rating name=stars data-label=Stars>4</x-rating><input name=last value=9>
<x-rating name=several>ab</x-rating>
<script>
customElements.define('x-rating', class extends HTMLElement {
  static formAssociated = true
  constructor() {
    super()
    const values = new FormData()
    for (const value of this.textContent) values.append(this.getAttribute('name'), value)
    this.attachInternals().setFormValue(values)
  }
})
form.addEventListener('formdata', ({ formData }) => formData.append('added', 'by script'))
</script>`,
  )
  expect(data).toBe('{"stars":"4","last":"9","several":["a","b"],"added":"by script"}')
  expect(controls[0]).toEqual({ name: 'stars', label: 'Stars', kind: 'text' })
})

test('what a script changes in the form data is sent as changed', async () => {
  const { data } = await submit(`<textarea name=rich></textarea><input name=n type=number value=1>
<input name=gone value=1><input name=agreed type=checkbox><script>
form.addEventListener('formdata', ({ formData }) => {
  formData.set('rich', '<b>x</b>')
  formData.set('n', 4)
  formData.delete('gone')
  formData.set('agreed', 'on')
})</script>`)
  expect(data).toBe('{"rich":"<b>x</b>","n":4,"agreed":true}')
})

test('an image that sends the form sends the point that was pressed', async () => {
  const { tab } = await runtime().open(`<form data-service>
<input id=send type=image name=map alt=Map style="width: 100px; height: 100px"></form>`)
  await tab.click('#send', { position: { x: 30, y: 40 } })
  await becomes(() => runtime().server.received.length, 1)
  expect(runtime().server.received[0]!.data).toBe('{"map.x":"30","map.y":"40"}')
})

test('the invisible honeypot is sent only when it is filled in, and is not part of the data', async () => {
  const { tab } = await runtime().open(`<style>form { display: grid; gap: 10px; width: 300px }
input { width: 100% !important; position: static !important; padding: 20px }</style>
<form data-service><input id=a name=a><input id=b name=b><button id=send>Send</button></form>`)
  const size = () => tab.$eval('form', (form) => [form.clientHeight, form.scrollWidth])
  const before = await size()
  await tab.waitForLoadState()
  await tab.focus('#a')
  await tab.focus('#b')
  expect(await size()).toEqual(before)
  const trap = tab.locator('form > textarea[aria-hidden=true][tabindex="-1"][autocomplete=off]')
  expect(await trap.count()).toBe(1)
  expect(await trap.boundingBox()).toMatchObject({ width: 1, height: 1 })
  expect(await tab.getByRole('textbox').count()).toBe(2)
  const formKeys = () => [...new FormData(document.querySelector('form')!).keys()]
  expect(await tab.evaluate(formKeys)).toEqual(['a', 'b'])
  await tab.keyboard.press('Tab')
  expect(await tab.evaluate(() => document.activeElement!.id)).toBe('send')

  await tab.click('#send')
  await becomes(() => runtime().server.received.length, 1)
  expect(runtime().server.received[0]).not.toHaveProperty('trap')
  await trap.evaluate((field: HTMLTextAreaElement) => {
    field.value = 'buy'
  })
  await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
  await tab.click('#send')
  await becomes(() => runtime().server.received.length, 2)
  const { data, controls, trap: trapValue } = runtime().server.received[1]!
  expect([data, trapValue]).toEqual(['{"a":"","b":""}', 'buy'])
  expect(controls.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a form of one field and no button is sent by the Enter key', async () => {
  const { tab } = await runtime().open('<form data-service><input id=a name=a></form>')
  await tab.waitForLoadState()
  await tab.focus('#a')
  await tab.keyboard.type('42')
  await tab.keyboard.press('Enter')
  await becomes(() => runtime().server.received.length, 1)
  expect(runtime().server.received[0]!.data).toBe('{"a":"42"}')
})
