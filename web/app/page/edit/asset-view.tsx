import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Failure } from '../../ui/states.tsx'
import { formatBytes } from '../../ui/text.ts'
import type { Asset } from './draft.ts'

/** A file that is no text: an image is shown, others are described. */
export function AssetView({ page, asset }: { page: Page; asset: Asset }) {
  const { path, type, size_bytes: bytes, source } = asset
  const isImage = /^image\//.test(type)
  const isStored = 'hash' in source
  return (
    <div className="grid h-full content-center justify-items-center gap-3 overflow-auto p-6 text-center">
      {isImage && isStored && <AssetImage pageId={page.id} path={source.path} key={path} />}
      <p className="text-13 text-muted">
        <span className="font-mono break-all">{path}</span>
        <br />
        {type}, {formatBytes(bytes)}
      </p>
      {!isStored && <p className="text-13 text-muted">New: it is in the draft once you save.</p>}
    </div>
  )
}

/** The image is read by the API and shown from memory: no address of it is needed. */
function AssetImage({ pageId, path }: { pageId: string; path: string }) {
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const controller = new AbortController()
    let made: string | null = null
    api
      .readFile({ id: pageId, path }, { signal: controller.signal })
      .then(async (file) => {
        made = URL.createObjectURL(await file.blob())
        if (controller.signal.aborted) URL.revokeObjectURL(made)
        else setUrl(made)
      })
      .catch((err) => controller.signal.aborted || setError(err))
    return () => {
      controller.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [pageId, path])
  if (error) return <Failure error={error} />
  return url && <img src={url} alt={path} className="max-h-96 max-w-full object-contain" />
}
