import { anchorOf } from '../markup/page.ts'
import type { Endpoint } from '../openapi/document.ts'

/** The addresses of the documentation's pages and sections. */
export const ERRORS_PATH = '/docs/errors'
export const OBJECTS_PATH = '/docs/api/objects'

export function groupPath(group: string): string {
  return `/docs/api/${anchorOf(group)}`
}

export function operationAddress({ id, group }: Endpoint): string {
  return `${groupPath(group)}#${id}`
}

export function schemaAnchor(name: string): string {
  return `object-${name}`
}

export function schemaAddress(name: string): string {
  return `${OBJECTS_PATH}#${schemaAnchor(name)}`
}

export function errorAnchor(code: string): string {
  return `error-${code}`
}

export function errorAddress(code: string): string {
  return `${ERRORS_PATH}#${errorAnchor(code)}`
}

export const MCP_PATH = '/docs/mcp'

export function toolAnchor(name: string): string {
  return `tool-${name}`
}

export function toolAddress(name: string): string {
  return `${MCP_PATH}#${toolAnchor(name)}`
}
