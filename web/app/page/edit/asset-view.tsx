import type { Page } from '../../boot.ts'
import { Failure } from '../../ui/states.tsx'
import { formatBytes } from '../../ui/text.ts'
import { useFileUrl } from '../use-file-url.ts'
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

function AssetImage({ pageId, path }: { pageId: string; path: string }) {
  const { url, error } = useFileUrl(pageId, path)
  if (error) return <Failure error={error} />
  return url && <img src={url} alt={path} className="max-h-96 max-w-full object-contain" />
}
