import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useEffectEvent, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { useAccount } from '../account.ts'
import { api } from '../api.ts'
import { useLater } from '../hooks.ts'
import { queryOf } from '../pages/filters.ts'
import { useFolders, useViews } from '../pages/views.ts'
import { type Command, hasName, Picker } from '../ui/picker.tsx'
import { places } from './rail.tsx'

const NONE = (): Command[] => []
let ofScreen = NONE

/** Adds commands while a screen is shown. They are asked for when the palette opens. */
export function useCommands(commands: () => Command[]): void {
  const latest = useEffectEvent(commands)
  useEffect(() => {
    ofScreen = latest
    return () => {
      if (ofScreen === latest) ofScreen = NONE
    }
  }, [])
}

export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  return (
    <Picker
      label="Search and commands"
      prompt="Search pages and commands"
      text={text}
      onText={setText}
      commands={useMatches(text)}
      onClose={onClose}
    />
  )
}

const SHOWN_PAGES = 20
const SEARCH_AFTER_MS = 150

function useMatches(text: string): Command[] {
  const [, navigate] = useLocation()
  const account = useAccount()
  // Once, before the palette takes the focus: some are about what has it.
  const [commands] = useState(() => ofScreen())
  const lowerText = text.trim().toLowerCase()
  const search = useLater(text.trim(), SEARCH_AFTER_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['pages', 'palette', search],
    queryFn: ({ signal }) =>
      api.listPages({ limit: SHOWN_PAGES, ...(search && { search }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: !account.is_guest,
  })
  const goTo = (to: string, path: string) => ({ name: `Go to ${to}`, run: () => navigate(path) })
  const own = [{ name: 'New page', run: () => navigate('/new') }, goTo('the trash', '?state=trash')]
  const [folders, views] = [useFolders(), useViews()]
  // Only with a text: a long list of them would be in the way of everything else.
  const lists: Command[] = [
    ...folders.map(({ name }) => ({ name, what: 'folder', filters: { folder: name } })),
    ...views.map(({ name, filters }) => ({ name, what: 'view', filters })),
  ]
    .filter((list) => lowerText !== '' && hasName(text)(list))
    .map(({ name, what, filters }) => goTo(`the ${what} ${name}`, `?${queryOf(filters)}`))
  const all: Command[] = [
    ...commands,
    ...(account.is_guest ? [] : own),
    ...places(account).map(({ path, name }) => goTo(name, path)),
  ]
  const pages = (data?.data ?? []).map(({ id, title, slug }) => ({
    id,
    name: title ?? slug,
    run: () => navigate(`/pages/${id}`),
  }))
  const matches = hasName(text)
  // The server searches all pages, by their slugs, too. Its answer may still be for less text.
  const isOfText = lowerText === search.toLowerCase() && !isPlaceholderData
  const pageMatches = isOfText ? pages : pages.filter(matches)
  return [...all.filter(matches), ...lists, ...pageMatches]
}
