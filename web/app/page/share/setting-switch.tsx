import type { ReactNode } from 'react'
import type { Page } from '../../boot.ts'
import { Switch } from '../../ui/switch.tsx'
import type { PageChange } from '../use-page.ts'
import { useSharing } from './sharing.ts'

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
