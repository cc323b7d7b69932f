import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { useAccount, useBoot } from '../../account.ts'
import type { Page } from '../../boot.ts'
import { Switch } from '../../ui/switch.tsx'
import type { PageChange } from '../use-page.ts'
import { useSharing } from './sharing.ts'

/** A part of the dialog, under a hairline. */
export function Section({
  title,
  note,
  children,
}: {
  title: string
  /** One line beside the title. */
  note?: ReactNode
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="border-t border-line py-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="font-serif text-17 font-medium">
          {title}
        </h3>
        {note && <p className="text-13 text-muted">{note}</p>}
      </div>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </section>
  )
}

/** The fields that a choice or a switch unfolds. */
export function Unfolded({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 border-l-2 border-line pl-4">{children}</div>
}

type Flag = { [K in keyof Page]: Page[K] extends boolean ? K : never }[keyof Page] &
  keyof PageChange

interface SettingSwitchProps {
  name: Flag
  label: string
  help?: ReactNode
  isDisabled?: boolean
  /** What is saved together with it. */
  also?(isOn: boolean): PageChange
}

/** A switch of one setting. A refusal stands below it. */
export function SettingSwitch({ name, label, help, isDisabled, also }: SettingSwitchProps) {
  const { page, save } = useSharing()
  return (
    <div>
      <Switch
        label={label}
        help={help}
        isOn={page[name]}
        isDisabled={isDisabled ?? false}
        onChange={(isOn) => save(name, { [name]: isOn, ...also?.(isOn) })}
      />
      <Refusal field={name} />
    </div>
  )
}

/** The server's sentence for a change that it refused. */
export function Refusal({ field }: { field: string }) {
  const { state } = useSharing()
  const message = state.refusals.get(field)
  return message ? (
    <p role="alert" className="mt-1 text-13 text-danger">
      {message}
    </p>
  ) : null
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
        <Link href="/admin" className="link">
          Change the plan
        </Link>
      ) : (
        'The operator of this server sets your plan.'
      )}
    </>
  )
}
