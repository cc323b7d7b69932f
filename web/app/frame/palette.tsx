import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { useAccount } from '../account.ts'
import { api } from '../api.ts'
import { useLater } from '../hooks.ts'
import { createStore, useStore } from '../store.ts'
import { places } from './rail.tsx'

export interface Command {
  name: string
  /** Distinguishes commands with the same name. */
  id?: string
  run(): void
}

const ofScreen = createStore<Command[]>([])

/** Adds commands while a screen is shown. Memoize them: a new list renders the palette anew. */
export function useCommands(commands: Command[]): void {
  useEffect(() => {
    ofScreen.set(commands)
    return () => ofScreen.set([])
  }, [commands])
}

export function Palette({ onClose }: { onClose(): void }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useFound(text)
  useLayoutEffect(() => dialog.current?.showModal(), [])

  function run(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    command.run()
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(found[chosen])
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onCancel={onClose}
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className="mt-[12dvh] mb-auto w-[min(36rem,calc(100%-2rem))] rounded-card border border-line bg-raised p-0 shadow-float"
    >
      <input
        type="text"
        maxLength={200}
        role="combobox"
        aria-label="Search pages and commands"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="Search pages and commands"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={press}
        className="w-full border-b border-line bg-transparent px-4 py-3 text-17 outline-none"
      />
      <div id={id} role="listbox" aria-label="Found" className="max-h-80 overflow-y-auto p-2">
        {found.map((command, at) => (
          <div
            key={command.id ?? command.name}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            ref={at === chosen ? scrollTo : null}
            onPointerMove={() => setChosen(at)}
            onClick={() => run(command)}
            onKeyDown={press}
            className="truncate rounded-control px-3 py-2 aria-selected:bg-sunk"
          >
            {command.name}
          </div>
        ))}
        {found.length === 0 && <p className="px-3 py-2 text-muted">Nothing has this name.</p>}
      </div>
    </dialog>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

const SHOWN_PAGES = 20
const SEARCH_AFTER_MS = 150

function useFound(text: string): Command[] {
  const [, navigate] = useLocation()
  const account = useAccount()
  const commands = useStore(ofScreen)
  const wanted = text.trim().toLowerCase()
  const search = useLater(text.trim(), SEARCH_AFTER_MS)
  const { data } = useQuery({
    queryKey: ['pages', 'palette', search],
    queryFn: ({ signal }) =>
      api.listPages({ limit: SHOWN_PAGES, ...(search && { search }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: !account.is_guest,
  })
  const all: Command[] = [
    ...commands,
    ...(account.is_guest
      ? []
      : [
          { name: 'New page', run: () => navigate('/new') },
          { name: 'Go to the trash', run: () => navigate('?state=trash') },
        ]),
    ...places(account).map(({ path, name }) => ({
      name: `Go to ${name}`,
      run: () => navigate(path),
    })),
  ]
  const pages = (data?.data ?? []).map(({ id, title, slug }) => ({
    id,
    name: title ?? slug,
    run: () => navigate(`/pages/${id}`),
  }))
  const matches = ({ name }: Command) => name.toLowerCase().includes(wanted)
  // The server searches all pages, by their slugs, too. Its answer may still be for less text.
  const found = wanted === search.toLowerCase() ? pages : pages.filter(matches)
  return [...all.filter(matches), ...found]
}
