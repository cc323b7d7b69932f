import { expect, test } from 'bun:test'
import { markdownPage } from './markdown.ts'

async function pageOf(markdown: string, name?: string): Promise<string> {
  return (await markdownPage(markdown, name)).text()
}

test('Markdown becomes a whole document, readable on a phone', async () => {
  const page = await pageOf('# The *plan*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<b>kept</b>')
  expect(page).toStartWith('<!doctype html>')
  expect(page).toContain('<meta name="viewport"')
  expect(page).toContain('<title>The plan</title>')
  expect(page).toContain('<td>2</td>')
  expect(page).toContain('<b>kept</b>')
})

test('the title is that of the settings above the text, the first heading, or the name', async () => {
  expect(await pageOf('---\ntitle: "A <b>"\nx: 1\n---\ntext')).toContain(
    '<title>A &lt;b&gt;</title>',
  )
  expect(await pageOf('---\ntitle: "A"\n---\ntext')).not.toContain('title: ')
  expect(await pageOf('text', 'notes.md')).toContain('<title>notes</title>')
  expect(await pageOf('text\n\n---\n\nmore')).toContain('<hr>')
})
