import type { ReactNode } from 'preact/compat'
import { useAccount, useBoot } from '../../account.ts'
import type { Page } from '../../api.ts'
import { QuietButton } from '../../ui/button.tsx'
import { Note, Problem, TextField } from '../../ui/field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Switch, type SwitchProps } from '../../ui/switch.tsx'
import type { PageChange } from '../use-page.ts'
import { after, fromField, SPANS, toField } from './dates.ts'
import { useDraft, useSharing } from './sharing.ts'

interface SectionProps {
  title: string
  note?: ReactNode
  children: ReactNode
}

export function Section({ title, note, children }: SectionProps) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="border-t border-line py-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={`${id}-heading`} className="font-serif text-17 font-medium">
          {title}
        </h3>
        {note && <Note>{note}</Note>}
      </div>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </section>
  )
}

/** The fields that a choice or a switch unfolds. */
export function Unfolded({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 border-l-2 border-line pl-4">{children}</div>
}

interface SettingProps extends SwitchProps {
  field: string
  children?: ReactNode
}

/** A switch, with the server's sentence below it where it refused the change. */
export function Setting({ field, children, ...rest }: SettingProps) {
  return (
    <div className="grid gap-3">
      <div>
        <Switch {...rest} />
        <Refusal field={field} />
      </div>
      {children && <Unfolded>{children}</Unfolded>}
    </div>
  )
}

type Flag = { [K in keyof Page]: Page[K] extends boolean ? K : never }[keyof Page] &
  keyof PageChange

interface SettingSwitchProps extends Omit<SettingProps, 'field' | 'isOn' | 'onChange'> {
  name: Flag
  /** What is saved together with it. */
  also?(isOn: boolean): PageChange
}

export function SettingSwitch({ name, also, ...rest }: SettingSwitchProps) {
  const { page, save } = useSharing()
  const change = (isOn: boolean) => save(name, { [name]: isOn, ...also?.(isOn) })
  return <Setting field={name} isOn={page[name]} onChange={change} {...rest} />
}

export function Refusal({ field }: { field: string }) {
  return <Problem error={useSharing().state.refusals.get(field)} className="mt-1 text-13" />
}

interface DateFieldProps {
  name: 'expires_at' | 'poll_closes_at'
  label: string
  help: ReactNode
  /** Whether a date can be removed, and not set. */
  isLocked?: boolean
}

const QUICK = 'min-h-7 px-2 py-0.5 text-13'

/** A time of the viewer's zone, with quick choices. */
export function DateField({ name, label, help, isLocked = false }: DateFieldProps) {
  const { page, save } = useSharing()
  const current = page[name]
  const draft = useDraft({
    field: name,
    label,
    pageText: toField(current),
    parse(text) {
      const value = fromField(text)
      if (value === null && text !== '') return { problem: 'Give a whole date and a time.' }
      return { values: { [name]: value } }
    },
  })
  const isEmpty = current === null && draft.props.value === ''
  function choose(value: string | null): void {
    draft.reset()
    if (value !== current) save(name, { [name]: value })
  }
  return (
    <div className="grid gap-2">
      <TextField
        type="datetime-local"
        help={help}
        disabled={isLocked}
        className="tabular-nums"
        {...draft.props}
      />
      <div className="-ml-2 flex flex-wrap">
        {SPANS.map((span) => (
          <QuietButton
            key={span}
            className={QUICK}
            disabled={isLocked}
            onClick={() => choose(after(span))}
          >
            {span}
          </QuietButton>
        ))}
        <QuietButton className={QUICK} disabled={isEmpty} onClick={() => choose(null)}>
          Never
        </QuietButton>
      </div>
    </div>
  )
}

/** Whether the plan has expiry, view limit, view-only and approvals. */
export function useHasPro(): boolean {
  return useAccount().limits.link_controls
}

/** What a setting of a larger plan needs, in one line. */
export function PlanNote() {
  const { is_operator: isOperator } = useAccount()
  const { plan_names: names } = useBoot()
  return (
    <>
      Part of the {names.pro} plan.{' '}
      {isOperator ? (
        <TextLink href="/admin">Change the plan</TextLink>
      ) : (
        'The operator of this server sets your plan.'
      )}
    </>
  )
}
