import { BYTE_ORDER_MARK, csvLine, quotedText } from '../../model/csv.ts'
import { Download, StoredFile } from '../../model/download.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Agreements } from './agreements.ts'
import { type Acceptance, acceptance, getAgreement, listAgreements } from './contract.ts'

export function agreementOperations(agreements: Agreements): Operation[] {
  return [
    implement(listAgreements, async ({ page }, { format, limit, offset }) => {
      if (format === 'csv') {
        return csvOf(page, (await agreements.listAcceptances(page.id)).toReversed())
      }
      const versions = await agreements.listVersions(page.id)
      const newest = await agreements.listNewest(page.id, { limit, offset })
      const next_offset = newest.count > offset + limit ? offset + limit : null
      return { data: { versions, ...newest }, next_offset }
    }),
    implement(getAgreement, async ({ page }, { version_no: version }) => {
      const { type, sha256, data } = await agreements.version(page, version)
      const [extension, mime] =
        type === 'pdf' ? ['pdf', 'application/pdf'] : ['txt', 'text/plain; charset=utf-8']
      const filename = `agreement-${page.slug}-${version}.${extension}`
      return new StoredFile({ filename, mime, etag: `"${sha256}"`, body: data })
    }),
  ]
}

const COLUMNS = Object.keys(acceptance.shape) as (keyof Acceptance)[]

function csvOf({ slug }: Page, rows: readonly Acceptance[]): Download {
  async function* chunks() {
    yield BYTE_ORDER_MARK + csvLine(COLUMNS)
    for (const row of rows)
      yield csvLine(COLUMNS.map((name) => quotedText(String(row[name] ?? ''))))
  }
  const filename = `${slug}-agreements.csv`
  return new Download({ filename, mime: 'text/csv; charset=utf-8', chunks: chunks() })
}
