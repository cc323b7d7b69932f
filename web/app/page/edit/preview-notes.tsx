import { Redo2, Undo2 } from 'lucide-preact'
import { type ReactNode, Suspense, useState } from 'preact/compat'
import type { Page } from '../../api.ts'
import { Button, IconButton, QuietButton } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/section.tsx'
import { deleteFile } from './file-tree.tsx'
import type { EditSession } from './session.ts'
import type { SourceEdit } from './visual/change.ts'
import type { OpenImage } from './visual/image-dialog.tsx'
import type { SourceImage } from './visual/visual.ts'

const ImageDialog = lazy(() => import('./visual/image-dialog.tsx'))

/** Why something cannot be changed in the preview, with a text to look for in the source. */
export interface Problem {
  words: string
  text: string
}

interface ProblemNoteProps extends Problem {
  onFind(): boolean
  onClose(): void
}

export function ProblemNote({ words, text, onFind, onClose }: ProblemNoteProps) {
  const [isMissing, setMissing] = useState(false)
  const find = () => setMissing(!onFind())
  return (
    <Notice
      actions={
        <>
          {text !== '' && <Button onClick={find}>Find it in the source</Button>}
          <QuietButton onClick={onClose}>Hide this</QuietButton>
        </>
      }
    >
      {isMissing ? 'These words are not in this file as they are shown.' : words}
    </Notice>
  )
}

interface ImageEditingProps {
  open: OpenImage | null
  page: Page
  session: EditSession
  onEdit(path: string, edits: SourceEdit[]): void
  onClose(): void
}

/** The dialog of an image, and after it the question about a file that nothing names any more. */
export function ImageEditing({ open, session, ...props }: ImageEditingProps) {
  const [unused, setUnused] = useState<string | null>(null)
  return (
    <>
      {unused !== null && (
        <div className="mt-2">
          <Notice
            actions={
              <>
                <Button onClick={() => [deleteFile(session, unused), setUnused(null)]}>
                  Delete {unused}
                </Button>
                <QuietButton onClick={() => setUnused(null)}>Keep it</QuietButton>
              </>
            }
          >
            Nothing in the deck names {unused} any more. Whoever has its address can open it until
            you delete it and publish.
          </Notice>
        </div>
      )}
      {open !== null && (
        <Suspense fallback={null}>
          <ImageDialog {...props} {...open} session={session} onUnused={setUnused} />
        </Suspense>
      )}
    </>
  )
}

interface PreviewFootProps {
  about: string
  images: SourceImage[]
  children: ReactNode
  onImage(image: SourceImage): void
  onKey(key: 'undo' | 'redo'): void
}

const TOOL = 'size-8! pointer-coarse:size-11!'

/** What can be done in the preview without a pointer on it, or a keyboard. */
export function PreviewFoot({ about, images, children, onImage, onKey }: PreviewFootProps) {
  const items = images.map((image, at) => ({
    label: `${at + 1}. ${nameOf(image)}`,
    onSelect: () => onImage(image),
  }))
  return (
    <div className="mt-1.5 flex flex-wrap items-start justify-between gap-x-4 gap-y-1 text-12 text-muted">
      <p>{about}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {items.length > 0 && (
          <Menu
            label="Images"
            look={`inline-flex min-h-8 items-center gap-1 text-13 hover:text-ink
              pointer-coarse:min-h-11`}
            items={items}
          />
        )}
        <IconButton label="Take back" icon={Undo2} className={TOOL} onClick={() => onKey('undo')} />
        <IconButton label="Redo" icon={Redo2} className={TOOL} onClick={() => onKey('redo')} />
        {children}
      </div>
    </div>
  )
}

/** Its description, or the name of its file. */
function nameOf({ src, alt }: SourceImage): string {
  const file = src.startsWith('data:') ? '' : (src.split(/[?#]/)[0]!.split('/').at(-1) ?? '')
  return (alt || file || 'Without a description').slice(0, 60)
}
