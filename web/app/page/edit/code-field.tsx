import { useQuery } from '@tanstack/preact-query'
import { type RefObject, useEffect, useRef } from 'preact/compat'
import { formatBytes } from '../../../../src/model/numbers.ts'
import { api, type Page } from '../../api.ts'
import { useStore } from '../../store.ts'
import { Note } from '../../ui/field.tsx'
import { Failure, Pending } from '../../ui/states.tsx'
import { useFileUrl } from '../use-file-url.ts'
import { createEditor, type Editor, type EditorFile } from './code-mirror.ts'
import { type Asset, type Draft, isHtmlPath, isMarkdownFile, isTextAsset, textOf } from './draft.ts'
import type { EditSession } from './session.ts'

interface CodeFieldProps {
  page: Page
  session: EditSession
  path: string
  editorRef: RefObject<Editor | null>
}

/** The open file: in the editor where it is text, else shown. */
export function CodeField({ page, session, path, editorRef }: CodeFieldProps) {
  const { work } = useStore(session)
  const asset = work.assets.find((one) => one.path === path)
  const isText = asset === undefined || isTextAsset(asset)
  const isLoaded = textOf(work, path) !== null
  return (
    <section className="flex h-full min-h-96 min-w-0 flex-col max-lg:h-[70dvh]" aria-label="Editor">
      <div className="min-h-0 flex-1 overflow-hidden rounded-card border border-line focus-within:border-control">
        {!isText && asset && <AssetView page={page} asset={asset} />}
        {isText && !isLoaded && asset && <AssetText key={path} {...{ page, session, asset }} />}
        <TextEditor {...{ session, path, editorRef }} isShown={isText && isLoaded} />
      </div>
      <p id="editor-keys" className="mt-1.5 text-12 text-muted">
        Tab indents. To leave the field by the keyboard, press Escape and then Tab.
      </p>
    </section>
  )
}

interface TextEditorProps extends Omit<CodeFieldProps, 'page'> {
  isShown: boolean
}

/** One editor for all files: each keeps its own history. */
function TextEditor({ session, path, editorRef, isShown }: TextEditorProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { revision } = useStore(session)
  useEffect(() => {
    const settings = { onChange: session.editTyped, onSave: session.save }
    const editor = createEditor(frame.current!, settings)
    editorRef.current = editor
    return () => {
      editorRef.current = null
      editor.destroy()
    }
  }, [session, editorRef])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a revision is a text to show
  useEffect(() => {
    const file = editorFile(session.get().work, path)
    if (isShown && file !== null) editorRef.current?.show(file)
  }, [session, path, revision, isShown, editorRef])
  return <div ref={frame} hidden={!isShown} className="h-full" />
}

/** A file as the editor shows it, with the name of its field; null where its text is not read. */
export function editorFile(draft: Draft, path: string): EditorFile | null {
  const text = textOf(draft, path)
  if (text === null) return null
  const isMarkdown = isMarkdownFile(draft, path)
  const language = isMarkdown ? 'Markdown' : 'HTML'
  const isPage = isMarkdown || isHtmlPath(path)
  return { path, text, isMarkdown, name: isPage ? `${language} of the draft` : `Text of ${path}` }
}

function AssetText({ page, session, asset }: { page: Page; session: EditSession; asset: Asset }) {
  const { path, source } = asset
  const isUpload = 'upload' in source
  const filePath = isUpload ? path : source.path
  const { data, error, refetch } = useQuery({
    queryKey: ['draft-file', page.id, filePath],
    queryFn: async ({ signal }) =>
      (await api.readFile({ id: page.id, path: filePath }, { signal })).text(),
    enabled: !isUpload,
    gcTime: 0,
    staleTime: 0,
  })
  useEffect(() => {
    if (data !== undefined) session.loadText(path, data)
  }, [session, path, data])
  if (isUpload) {
    return <p className="p-4 text-muted">This file was just added. Save the draft to edit it.</p>
  }
  return (
    <div className="p-4">
      <Pending error={error} onRetry={refetch} />
    </div>
  )
}

function AssetView({ page, asset }: { page: Page; asset: Asset }) {
  const { path, type, size_bytes: bytes, source } = asset
  const isImage = /^image\//.test(type)
  const isStored = 'hash' in source
  return (
    <div className="grid h-full content-center justify-items-center gap-3 overflow-auto p-6 text-center">
      {isImage && isStored && <AssetImage pageId={page.id} path={source.path} key={path} />}
      <Note>
        <span className="font-mono break-all">{path}</span>
        <br />
        {type}, {formatBytes(bytes)}
      </Note>
      {!isStored && <Note>New: it is in the draft once you save.</Note>}
    </div>
  )
}

function AssetImage({ pageId, path }: { pageId: string; path: string }) {
  const { url, error } = useFileUrl(pageId, path)
  if (error) return <Failure error={error} />
  return url && <img src={url} alt={path} className="max-h-96 max-w-full object-contain" />
}
