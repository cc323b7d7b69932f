import { lazy, Suspense, useEffect, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { useAccount } from '../account.ts'
import { useLatest } from '../hooks.ts'
import { isInUse, newPage } from '../new-page/draft.ts'
import { createStore, useStore } from '../store.ts'
import { showToast } from '../ui/toast.tsx'
import { type FoundFile, groupFiles, type Source } from './sources.ts'

/** More are not listed: the deck's rules refuse them anyway. */
const MAX_FILES = 10_000

const JobsPanel = lazy(() => import('./jobs-panel.tsx'))

/** A screen that takes what is dropped itself; null: it is published. */
export const dropTarget = createStore<((sources: Source[]) => void) | null>(null)

/** Whether something was published by a drop since the document was loaded. */
const hasJobs = createStore(false)

/** Publishes sources, each as a page, and shows how far that is. */
export function usePublishSources(): (sources: Source[]) => void {
  const account = useAccount()
  return (sources) => {
    hasJobs.set(true)
    void import('./jobs.ts').then(({ publishSources }) => publishSources(sources, account))
  }
}

/** Takes files and folders that are dropped anywhere in the window, and what is pasted. */
export function DropZone() {
  const isOver = useDrops()
  usePaste()
  const target = useStore(dropTarget)
  return (
    <>
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-50 grid place-content-center justify-items-center gap-2 rounded-dialog border-2 border-dashed border-accent bg-paper/90 text-center">
          <p className="font-serif text-28 font-medium">
            {target === null ? 'Drop to publish' : 'Drop it here'}
          </p>
          <p className="text-muted">HTML, Markdown, a folder, a zip, a PDF or images</p>
        </div>
      )}
      {useStore(hasJobs) && (
        <Suspense fallback={null}>
          <JobsPanel />
        </Suspense>
      )}
    </>
  )
}

function useDrops(): boolean {
  const [isOver, setOver] = useState(false)
  const publish = useLatest(usePublishSources())
  useEffect(() => {
    const stop = new AbortController()
    // Every element that is entered is left again, so the last one leaves none.
    let depth = 0
    function on(name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', run: DragHandler): void {
      addEventListener(name, (event: DragEvent) => hasFiles(event) && run(event), stop)
    }
    function enter(by: 1 | -1): void {
      depth = Math.max(0, depth + by)
      setOver(depth > 0)
    }
    on('dragenter', () => enter(1))
    on('dragleave', () => enter(-1))
    on('dragover', (event) => event.preventDefault())
    on('drop', (event) => {
      depth = 0
      setOver(false)
      if (event.defaultPrevented) return
      event.preventDefault()
      const take = dropTarget.get() ?? publish.current
      void sourcesOf(event.dataTransfer!).then((sources) => sources.length > 0 && take(sources))
    })
    return () => stop.abort()
  }, [publish])
  return isOver
}

type DragHandler = (event: DragEvent) => void

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

/** What is pasted outside of a field opens a new page with it: one more press publishes it. */
function usePaste(): void {
  const navigate = useLatest(useLocation()[1])
  useEffect(() => {
    async function paste(event: ClipboardEvent): Promise<void> {
      if (event.defaultPrevented || event.clipboardData === null || isTaken(event.target)) return
      const { clipboardData: data } = event
      const text = data.getData('text/plain')
      const html = /^\s*</.test(text) ? text : data.getData('text/html') || text
      const sources = data.files.length > 0 ? await sourcesOf(data) : []
      if (sources.length === 0 && html.trim() === '') return
      navigate.current('/new')
      if (isInUse()) {
        showToast('You have begun a page here: publish it, or clear it, and paste again.')
      } else {
        newPage.set({ ...newPage.get(), ...(sources.length > 0 ? { sources } : { html }) })
      }
    }
    const listener = (event: ClipboardEvent) => void paste(event)
    addEventListener('paste', listener)
    return () => removeEventListener('paste', listener)
  }, [navigate])
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
  )
}

/**
 * What was dropped: each folder is a source of its own. The browser gives its items away when the
 * event ends, so they are taken before anything is awaited.
 */
async function sourcesOf(data: DataTransfer): Promise<Source[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...data.files]
  const folders = entries.filter((entry) => entry?.isDirectory === true)
  if (folders.length === 0) return groupFiles(files)
  const names = new Set(folders.map((folder) => folder!.name))
  const sources = await Promise.all(
    folders.map(async (folder): Promise<Source> => {
      const found = await filesIn(folder as FileSystemDirectoryEntry)
      return { name: folder!.name, files: found, isFolder: true }
    }),
  )
  return [...sources, ...groupFiles(files.filter(({ name }) => !names.has(name)))]
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const waiting: [path: string, folder: FileSystemDirectoryEntry][] = [['', folder]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, inner] = next
    for (const entry of await entriesIn(inner)) {
      if (found.length >= MAX_FILES) return found
      if (isFolder(entry)) waiting.push([`${path}${entry.name}/`, entry])
      else found.push({ path: path + entry.name, file: await fileOf(entry as FileSystemFileEntry) })
    }
  }
  return found
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** The browser lists a folder in parts, until one is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return all
    all.push(...part)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
