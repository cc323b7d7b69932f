import type { ComponentProps, ElementType } from 'preact/compat'

/** Content that scrolls in its place. It takes the focus, so that keys scroll it, too. */
export function ScrollArea({
  as: Area = 'div',
  ...rest
}: ComponentProps<'div'> & { as?: ElementType }) {
  return <Area tabIndex={0} {...rest} />
}
