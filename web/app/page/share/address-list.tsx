import { X } from 'lucide-preact'
import { type ReactNode, useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { MAX_APPROVERS, MAX_INVITEES } from '../../../../src/model/page/facts.ts'
import type { Page } from '../../api.ts'
import { Button, IconButton, QuietButton } from '../../ui/button.tsx'
import { Note, TextArea } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { PageChange } from '../use-page.ts'
import { keyOf, parseAddresses, parseDomains, withItems, withoutItem } from './addresses.ts'
import { useCommit, useSharing } from './sharing.ts'

const EMAILS = { parse: parseAddresses, noun: ['email address', 'email addresses'] } as const
const LISTS = {
  allowed_emails: { ...EMAILS, max: MAX_INVITEES },
  approver_emails: { ...EMAILS, max: MAX_APPROVERS },
  allowed_domains: { parse: parseDomains, noun: ['domain', 'domains'], max: MAX_INVITEES },
} as const

interface AddressListProps {
  name: keyof typeof LISTS
  label: string
  verb: string
  help?: string
  placeholder?: string
  /** The message where the last one cannot be removed. */
  keepsOne?: string | null
  /** What is saved together with an added item. */
  also?: PageChange
  /** What the button does with those who were added; another one then adds them without it. */
  onInvite?: ((items: string[]) => void) | undefined
  noteOf?(item: string): ReactNode
}

/** A list of addresses or domains: one field takes many at once, and each can be removed. */
export function AddressList(props: AddressListProps) {
  const { name, label, help, placeholder, verb, also, onInvite } = props
  const { parse, noun, max } = LISTS[name]
  const { page, state, save } = useSharing()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const list = page[name]

  /** @returns whether something is left in the field, which is no address */
  function add(invite?: AddressListProps['onInvite']): boolean {
    const { items, bad } = parse(text)
    const added = withItems(list, items).slice(list.length)
    const excess = list.length + added.length - max
    if (excess > 0) {
      setProblem(`At most ${count(max, 'entry', 'entries')}: leave out ${excess}.`)
      return true
    }
    if (added.length > 0) {
      const change = (current: Page) => ({ [name]: withItems(current[name], added), ...also })
      save(name, change, invite && (() => invite(added)))
    }
    setText(bad.join('\n'))
    setProblem(bad.length === 0 ? null : badText(bad, noun))
    return bad.length > 0
  }
  useCommit(label, () => add())
  // Some browsers give a button that is pressed no focus, so leaving the field would add before it.
  const keepFocus = (event: Event) => event.preventDefault()

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: of what is in it
    <div
      className="grid gap-3"
      onBlur={({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget as Node) && text.trim() !== '' && add()
      }
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextArea
            label={label}
            help={help}
            error={problem ?? state.refusals.get(name)}
            rows={1}
            value={text}
            placeholder={placeholder}
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
            className="field-sizing-content max-h-40 resize-none"
            onText={(next) => [setText(next), setProblem(null)]}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add(onInvite)
            }}
          />
        </div>
        <Button className="mt-5.5" onMouseDown={keepFocus} onClick={() => add(onInvite)}>
          {verb}
        </Button>
      </div>
      {onInvite && text.trim() !== '' && (
        <QuietButton
          className="-mt-2 -ml-3 justify-self-start text-13"
          onMouseDown={keepFocus}
          onClick={() => add()}
        >
          Add without a mail
        </QuietButton>
      )}
      {list.length > 0 && <Items {...props} list={list} />}
    </div>
  )
}

const SHOWN_BAD = 3
/** As many fit without scrolling. */
const MAX_ROWS = 5

function badText(bad: string[], [one, several]: readonly [string, string]): string {
  const quotes = bad.slice(0, SHOWN_BAD).map((word) => `“${word}”`)
  const more = bad.length - quotes.length
  const names = quotes.join(', ') + (more > 0 ? ` and ${more} more` : '')
  const isNone = bad.length === 1 ? `is no ${one}` : `are no ${several}`
  return `${names} ${isNone}. Correct or remove what is left here.`
}

function Items({ name, list, keepsOne, noteOf }: AddressListProps & { list: string[] }) {
  const { save } = useSharing()
  function remove(item: string): void {
    save(name, (current) => ({ [name]: withoutItem(current[name], item) }))
    showToast(`${item} removed`, {
      undo: () => save(name, (current) => ({ [name]: withItems(current[name], [item]) })),
    })
  }
  const [one, several] = LISTS[name].noun
  const isKept = keepsOne != null && list.length === 1
  const isLong = list.length > MAX_ROWS
  return (
    <>
      {/* Where the list scrolls, its length is not visible otherwise. */}
      {isLong && <Note className="-mb-2">{count(list.length, one, several)}</Note>}
      <ul className="ring-room max-h-64 overflow-y-auto" tabIndex={isLong ? 0 : undefined}>
        {list.map((item) => (
          <li
            key={keyOf(item)}
            className="flex items-center gap-2 border-t border-line first:border-t-0"
          >
            <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-2 py-1">
              <bdi className="min-w-0 flex-1 basis-40 break-words">{item}</bdi>
              {noteOf && (
                <span className="flex items-center gap-2 text-13 text-muted">{noteOf(item)}</span>
              )}
            </span>
            <IconButton
              label={isKept ? keepsOne : `Remove ${item}`}
              icon={X}
              disabled={isKept}
              onClick={() => remove(item)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
