/** The type of a field's values, which its controls decide. */
export const CONTROL_KINDS = ['choice', 'multi', 'boolean', 'number', 'text'] as const
export type ControlKind = (typeof CONTROL_KINDS)[number]

/** A field of a `<form data-service>`. Several controls with one name are one field. */
export interface FormControl {
  name: string
  /** The `data-label` of its control. */
  label: string | null
  kind: ControlKind
}
