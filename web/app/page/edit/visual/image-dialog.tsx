import { Upload } from 'lucide-preact'
import { useEffect, useState } from 'preact/compat'
import { count, formatBytes } from '../../../../../src/model/numbers.ts'
import { useAccount } from '../../../account.ts'
import { api, type Page } from '../../../api.ts'
import { focusOnce } from '../../../hooks.ts'
import { FileButton } from '../../../publishing/source-buttons.tsx'
import { dropTarget } from '../../../publishing/stores.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Note, Problem, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAction } from '../../../use-action.ts'
import { dataUrl, useFileUrl, useObjectUrl } from '../../use-file-url.ts'
import { type Draft, isTextAsset, type TextFile, textOf } from '../draft.ts'
import { uploaded, withAsset } from '../file-tree.tsx'
import type { EditSession } from '../session.ts'
import { applyEdits, type SourceEdit } from './change.ts'
import * as files from './image-file.ts'
import { type ImageChange, imageAt, imageEdits, listImages, type SourceImage } from './visual.ts'

const ACCEPTED = '.png,.jpg,.jpeg,.webp,.gif'
/** More text of style sheets and scripts is not searched for the name of a file. */
const MAX_SEARCHED_BYTES = 2 * 1024 * 1024

export interface OpenImage {
  /** The page of the deck that it is in. */
  path: string
  image: SourceImage
  dropped: File | null
}

interface ImageDialogProps extends OpenImage {
  page: Page
  session: EditSession
  onEdit(path: string, edits: SourceEdit[]): void
  /** With the asset that nothing names any more. */
  onUnused(asset: string): void
  onClose(): void
}

/** Replaces an image of the page, and edits what it is described by. */
export default function ImageDialog(props: ImageDialogProps) {
  const { page, session, path, image, dropped, onClose } = props
  const { work } = session.get()
  const asset = files.assetOf(work, path, image.src)
  const uses = asset === null ? [] : work.files.flatMap((page) => usesOf(work, page, asset))
  const elsewhere = uses.length - 1
  const { limits } = useAccount()
  const [alt, setAlt] = useState(image.alt)
  const [isEverywhere, setEverywhere] = useState(false)
  const [file, setFile] = useState<files.ImageFile | null>(null)
  const reading = useAction((source: File) => files.readImage(source, session.get().work, limits), {
    hasPlace: true,
    onDone: setFile,
  })
  const { mutate: read } = reading
  const change = useImageChange(props, asset)
  useEffect(() => {
    if (dropped !== null) read(dropped)
    dropTarget.set(([source]) => source?.files[0] && read(source.files[0].file))
    return () => dropTarget.set(null)
  }, [dropped, read])
  return (
    <FormDialog
      title={file === null ? 'Image' : 'Replace the image'}
      action={file === null ? 'Save description' : 'Replace image'}
      cancel="Cancel"
      isSending={change.isPending || reading.isPending}
      onSubmit={() => change.mutate({ file, alt, isEverywhere }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ImageView page={page} draft={work} asset={asset} src={image.src} file={file} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileButton
          label={file === null ? 'Choose another image' : 'Choose another one'}
          icon={Upload}
          accept={ACCEPTED}
          isSingle
          isDisabled={change.isPending}
          onFiles={([source]) => source && read(source)}
        />
        <p className="min-w-0 text-13 break-words text-muted">
          {reading.isPending
            ? `Reading ${reading.variables.name}…`
            : file === null
              ? 'Or drop one here.'
              : aboutFile(file)}
        </p>
      </div>
      <Problem error={reading.error} className="" />
      {file !== null && image.hasVersions && (
        <Note>The page names it in several sizes: the new image takes the place of all.</Note>
      )}
      {file !== null && elsewhere > 0 && (
        <label className="flex items-baseline gap-2">
          <input
            type="checkbox"
            checked={isEverywhere}
            onChange={(event) => setEverywhere(event.currentTarget.checked)}
          />
          <span>
            Replace it in {count(elsewhere, 'other place', 'other places')} of the deck, too
          </span>
        </label>
      )}
      <TextField
        label="Description"
        value={alt}
        ref={dropped === null ? null : focusOnce}
        dir="auto"
        maxLength={2000}
        help="Read out to people who cannot see the image. Empty: it is mere decoration."
        onText={setAlt}
      />
      <Problem error={change.error} className="" />
    </FormDialog>
  )
}

function aboutFile({ name, blob, isSmaller }: files.ImageFile): string {
  return `${name}, ${isSmaller ? 'made smaller: ' : ''}${formatBytes(blob.size)}`
}

interface ImageViewProps {
  page: Page
  draft: Draft
  asset: string | null
  src: string
  file: files.ImageFile | null
}

/** The new image, or the one of the page where it has it. */
function ImageView({ page, draft, asset, src, file }: ImageViewProps) {
  const source = draft.assets.find(({ path }) => path === asset)?.source
  const assetUrl = useFileUrl(page.id, source && 'hash' in source ? source.path : null)
  const replacement = useObjectUrl(file?.blob)
  const own = /^data:image\//i.test(src) ? src : assetUrl.url
  const url = file === null ? own : replacement
  if (url === null) return <Note>{asset ?? `It is shown from ${src}`}</Note>
  return (
    <img
      src={url}
      alt={file === null ? 'As it is now' : 'As it will be'}
      className="h-44 w-full rounded-card border border-line bg-sunk object-contain p-2"
    />
  )
}

interface ImageInput {
  file: files.ImageFile | null
  alt: string
  isEverywhere: boolean
}

function useImageChange(props: ImageDialogProps, asset: string | null) {
  const { page, session, path, image, onEdit, onUnused } = props
  const { limits } = useAccount()

  function editsNow(change: ImageChange): SourceEdit[] {
    const html = textOf(session.get().work, path) ?? ''
    const edits = imageEdits(html, image.place, change)
    if (edits === null || imageAt(html, image.place)?.src !== image.src) {
      throw new Error('The page has changed meanwhile: close this and press the image again.')
    }
    return edits
  }
  /** The file as an asset of the deck, in place of the image here or of all that show the asset. */
  async function replaceInDeck(file: files.ImageFile, words: ImageChange, isEverywhere: boolean) {
    const before = session.get().work
    const name = files.freePath(before, asset ?? path, file)
    const upload = await uploaded(file.blob, name, limits)
    const { ratio } = file
    const edits = editsNow({ ...words, ratio, src: files.addressFrom(path, name) })
    session.edit(withAsset(upload, limits.deck_assets)(session.get().work))
    if (isEverywhere && asset !== null) {
      const own = editsNow(words)
      if (own.length > 0) onEdit(path, own)
      session.edit(replacedIn(session.get().work, { asset, name, ratio }))
      showToast(`Replaced by ${name}`, { undo: () => session.edit(before) })
    } else onEdit(path, edits)
    void session.autosave()
    if (asset !== null && !(await isNamed(page, session.get().work, asset))) onUnused(asset)
  }
  async function run({ file, alt, isEverywhere }: ImageInput): Promise<void> {
    const words = alt === image.alt ? {} : { alt }
    const isDeck = session.get().work.kind === 'bundle'
    if (file !== null && isDeck) return replaceInDeck(file, words, isEverywhere)
    const change = file === null ? {} : { ratio: file.ratio, src: await dataUrl(file.blob) }
    const edits = editsNow({ ...words, ...change })
    if (edits.length > 0) onEdit(path, edits)
    void session.autosave()
  }
  return useAction(run, { hasPlace: true })
}

/** The images of a page of the deck that show the asset. */
function usesOf(draft: Draft, { path, text }: TextFile, asset: string): SourceImage[] {
  return listImages(text).filter(({ src }) => files.assetOf(draft, path, src) === asset)
}

interface Replacement {
  asset: string
  name: string
  ratio: number
}

function replacedIn(draft: Draft, { asset, name, ratio }: Replacement): Draft {
  const pages = draft.files.map((file) => {
    const change = { src: files.addressFrom(file.path, name), ratio }
    const edits = usesOf(draft, file, asset).flatMap(
      ({ place }) => imageEdits(file.text, place, change) ?? [],
    )
    return edits.length === 0 ? file : { ...file, text: applyEdits(file.text, edits) }
  })
  return { ...draft, files: pages }
}

/** Whether any text of the deck names an asset; so it is taken to be where that is not known. */
async function isNamed(page: Page, { files: pages, assets }: Draft, asset: string) {
  const unread = assets.filter((one) => isTextAsset(one) && one.text === undefined)
  const isLong = unread.reduce((sum, one) => sum + one.size_bytes, 0) > MAX_SEARCHED_BYTES
  const isStored = unread.every(({ source }) => 'hash' in source)
  const textFiles = assets.map(({ path, text = '' }) => ({ path, text }))
  if (isLong || !isStored || files.isNamed(asset, [...pages, ...textFiles])) return true
  const texts = unread.map(async ({ path }) => ({
    path,
    text: await (await api.readFile({ id: page.id, path })).text(),
  }))
  return Promise.all(texts).then(
    (all) => files.isNamed(asset, all),
    () => true,
  )
}
