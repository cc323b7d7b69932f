import guide from '../../../../../docs/configuration.md' with { type: 'text' }
import { html } from '../../../../model/html.ts'
import { type DescribedVariable, describeVariables } from '../../../../platform/config-docs.ts'
import { plainText, renderInline } from '../markup/markdown.ts'
import type { DocsPage, Section } from '../markup/page.ts'
import { markdownPage } from './markdown-page.ts'

/** docs/configuration.md, with a list in place of its wide table. */
export function configurationPage(): DocsPage {
  const { intro: _, ...page } = markdownPage('/docs/configuration', guide)
  return { ...page, sections: [settingsSection(describeVariables()), ...page.sections] }
}

function settingsSection(variables: readonly DescribedVariable[]): Section {
  return {
    id: 'settings',
    title: 'Settings',
    searchText: '',
    body: html`<dl class="members">${variables.map(
      ({ name, fallback, meaning }) => html`
<div id="${name}"><dt><code class="name"><a href="#${name}">${name}</a></code></dt>
<dd><p>${renderInline(meaning)}</p>
<p class="limits">Default: ${renderInline(fallback)}</p></dd></div>`,
    )}
</dl>`,
    entries: variables.map(({ name, meaning }) => ({
      id: name,
      title: name,
      text: plainText(renderInline(meaning)),
    })),
  }
}
