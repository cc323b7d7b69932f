import { describe, expect, it } from 'bun:test'
import { processorMs } from '../../testing/processor-time.ts'
import { visibleMarkdown } from './source.ts'

const pages = new Map([
  ['README.md', 'index.html'],
  ['docs/two words.md', 'docs/two words.html'],
])
const visible = (text: string, path = 'README.md') => visibleMarkdown(text, { pages, path })

describe('the Markdown that visitors may have', () => {
  it('is the source as it was written', () => {
    const text =
      '# Plan\n\n- [ ] one\n- [x] two[^1]\n\n| a |\n|---|\n| $x^2$ |\n\n' +
      'See [the *plan*](/plan "Plan"), [B][b], [C] and [d].\n\n> ```mermaid\n> graph TD\n> ```\n\n' +
      '[^1]: A note\n[B]: https://e.example/b\n[ c ]: /c\n\n> [d]: /d\n'
    expect(visible(text)).toBe(text)
  })

  it('has no front matter', () => {
    expect(visible('---\ntitle: Plan\nreviewer: ann@e.example\n---\n# Plan\n')).toBe('# Plan\n')
  })

  it.each([
    ['a comment', 'a <!-- b --> c'],
    ['a comment in a list', '- a\n  <!--\n  b -->'],
    ['a processing instruction', '<? b ?>'],
    ['a declaration', '<!B c>'],
    ['a script', '<Script>b()</Script>'],
    ['styles', '<style>b {}</style>'],
    ['a template', '<template>b</template>'],
    ['a definition that is a comment', '# A\n\n[//]: # (b)\n'],
    ['a definition that nothing refers to', '# A\n\n[b]: /b "c"\n\n[d]: /d'],
    ['one in a quotation', '> a\n\n> [b]: /b'],
    ['one in a list', '1. a\n\n   [b]: /b'],
    ['one over lines', '# A\n\n[b\nc]: /b'],
    ['one defined before', '[b]\n\n[b]: /b\n[B]: /c "d"'],
    ['a note that nothing refers to', '# A\n\n[^b]: c'],
  ])('is not the source where this has %s', (_, text) => {
    expect(visible(text)).toBeNull()
  })

  it('has links that lead to the pages of the deck', () => {
    expect(
      visible(
        '[a](docs/two%20words.md#b) [c](../x.md) [d](https://e.example/README.md) [e]\n\n[e]: ./README.md',
      ),
    ).toBe(
      '[a](docs/two%20words.html#b) [c](../x.md) [d](https://e.example/README.md) [e]\n\n[e]: ./index.html',
    )
    expect(visible('[a](<../README.md> "B")', 'docs/two words.md')).toBe('[a](<../index.html> "B")')
  })

  it('is found in time in text made to take long', () => {
    for (const piece of ['[', '[a]:', '[a](', '](a', '\n[', '> [a\n', '---\n', '[\\', 'a.md']) {
      expect(processorMs(() => visible(piece.repeat(500_000)))).toBeLessThan(10_000)
    }
  })
})
