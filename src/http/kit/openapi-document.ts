/**
 * The parts of an OpenAPI 3.1 document that our reference pages read. `http/rest` builds the
 * document; `http/web` renders it.
 */
export interface OpenApiDocument {
  info: { title: string; version?: string; summary?: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, unknown>>
  components?: {
    schemas?: Record<string, unknown>
    responses?: Record<string, unknown>
    securitySchemes?: Record<string, unknown>
  }
  'x-errors'?: DescribedError[]
}

export interface DescribedError {
  code: string
  status: number
  meaning: string
  cure: string
  /** Any request can get the error, or some operations, or only a page's own form. */
  where: 'everywhere' | 'operations' | 'forms'
}
