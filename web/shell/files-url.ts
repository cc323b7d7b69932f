/** Calls `use` with an address of the page's files; never where the visit has ended. */
export type WithFilesUrl = (use: (filesUrl: string) => void) => void

interface FilesUrlOptions {
  filesUrl: string
  /** Where new addresses are; '' where one address serves all documents. */
  renewalUrl: string
  onVisitEnded(): void
}

/**
 * Gives an address of the page's files for the next document. Where the page has a view limit, the
 * server gives a document once for each address, so that each document needs a new one.
 */
export function createFilesUrl(options: FilesUrlOptions): WithFilesUrl {
  const { filesUrl, renewalUrl, onVisitEnded } = options
  return (use) => {
    if (renewalUrl === '') use(filesUrl)
    else void fetchFilesUrl(renewalUrl).then((url) => (url === null ? onVisitEnded() : use(url)))
  }
}

async function fetchFilesUrl(renewalUrl: string): Promise<string | null> {
  try {
    const response = await fetch(renewalUrl, { cache: 'no-store' })
    if (!response.ok) return null
    const { files } = (await response.json()) as { files?: unknown }
    return typeof files === 'string' ? files : null
  } catch {
    return null
  }
}
