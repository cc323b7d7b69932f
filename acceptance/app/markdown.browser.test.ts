/** A page made of Markdown: in the editor, and what visitors see of it. */
import { expect, test } from 'bun:test'
import { word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openEditor } from './editor.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

test(
  'a page of Markdown is edited as Markdown, in its colours, seen rendered, and published',
  async () => {
    const markdown = '# The plan\n\nWe **start** soon, <em>perhaps</em>.\n\n```js\nlet a = 1\n```\n'
    const editor = await openEditor(browser(), { markdown, filename: 'plan.md' })
    const { owner, tab, page, field, says, button, problems } = editor
    expect(await tab.getByText('HTML of the draft').count()).toBe(0)
    const colourOf = (text: string) =>
      field.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).color)
    const plain = await field.evaluate((element) => getComputedStyle(element).color)
    for (const text of ['# The plan', '**start**', '```js', 'let a = 1']) {
      expect([text, await colourOf(text)]).not.toEqual([text, plain])
    }
    const next = word('after')
    await field.fill(`${markdown}\nAnd *${next}*.`)
    const preview = tab.frameLocator('iframe[title="Preview of the draft"]')
    await preview.locator('em', { hasText: next }).waitFor()
    await button('Publish').click()
    await says('Saved and published')
    const { markdown: saved } = (await owner.html(page.id)) as unknown as { markdown: string }
    expect(saved).toBe(`${markdown}\nAnd *${next}*.`)
    expect(await (await fetch(page.url)).text()).toContain(`<em>${next}</em>`)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

const DRAWN = `# Drawn

\`\`\`mermaid
graph TD
  Draft --> Published
\`\`\`

Inline $x^2$ and

$$
\\frac{a}{b}
$$
`

test(
  'a published page of Markdown draws its diagrams, and has its formulas without a script',
  async () => {
    const { page, tab } = await openEditor(browser(), { markdown: DRAWN })
    await tab.context().close()
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser().newContext({ javaScriptEnabled })
      const visitor = await context.newPage()
      const errors: string[] = []
      visitor.on('pageerror', ({ message }) => errors.push(message))
      await visitor.goto(page.url)
      await visitor.locator('math mfrac').waitFor()
      const formulas = await visitor
        .locator('math')
        .evaluateAll((all) =>
          all.map((each) => [each.getAttribute('display'), each.getBoundingClientRect().width > 0]),
        )
      expect(formulas).toEqual([
        [null, true],
        ['block', true],
      ])
      const diagram = visitor.locator('pre.mermaid')
      if (javaScriptEnabled) {
        await diagram.locator('svg').getByText('Published').waitFor()
        expect((await diagram.locator('svg').boundingBox())!.height).toBeGreaterThan(50)
      } else {
        expect(await diagram.textContent()).toContain('Draft --> Published')
      }
      expect(errors).toEqual([])
      await context.close()
    }
  },
  TIMEOUT,
)
