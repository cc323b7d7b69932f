import { html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { renderInline, renderMarkdown } from '../markup/markdown.ts'
import type { DocsPage } from '../markup/page.ts'
import { type EndpointGroup, namedSchemas } from '../openapi/document.ts'
import { groupPath, OBJECTS_PATH, schemaAnchor } from './addresses.ts'
import { operationSection } from './operation-section.ts'
import { memberList, typeOf } from './schema.ts'

/** The reference of the operations with one tag. */
export function groupPage(
  document: OpenApiDocument,
  group: EndpointGroup,
  server: string,
): DocsPage {
  return {
    path: groupPath(group.name),
    title: group.name,
    lead: renderInline(group.description ?? ''),
    sections: group.endpoints.map((endpoint) => operationSection(document, endpoint, server)),
    isWide: true,
  }
}

/** The objects that answers contain. */
export function objectsPage(document: OpenApiDocument): DocsPage {
  return {
    path: OBJECTS_PATH,
    title: 'Objects',
    lead: html`What answers contain. An answer always has all members of an object.`,
    // The page of errors describes theirs, which has members that are not always there.
    sections: namedSchemas(document)
      .filter(([name]) => name !== 'Error')
      .map(([name, schema]) => ({
        id: schemaAnchor(name),
        title: name,
        body: html`${renderMarkdown(schema.description)}
${memberList(schema, 'response') ?? html`<p>${typeOf(schema)}</p>`}`,
      })),
  }
}
