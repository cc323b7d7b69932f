/** What a field holds, as the form's controls say. */
export const CONTROL_KINDS = ['choice', 'multi', 'boolean', 'number', 'text'] as const
export type ControlKind = (typeof CONTROL_KINDS)[number]

/** A named field of a `<form data-service>`; several controls of one name are one field. */
export interface FormControl {
  name: string
  /** Its `data-label`. */
  label: string | null
  kind: ControlKind
}
