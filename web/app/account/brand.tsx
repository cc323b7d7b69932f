import { ImagePlus, Trash2 } from 'lucide-preact'
import { useBoot } from '../account.ts'
import type { Account } from '../api.ts'
import { FileButton } from '../publishing/source-buttons.tsx'
import { AccentField } from '../ui/accent-field.tsx'
import { Button } from '../ui/button.tsx'
import { Note, Problem } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { useAction } from '../use-action.ts'
import { useUpdateAccount } from './update.ts'

/** How visitors see whose pages these are. */
export function Brand({ account }: { account: Account }) {
  const { server_accent: accent } = useBoot()
  const update = useUpdateAccount()
  const logo = useAction(smallPicture, {
    hasPlace: true,
    onDone: (base64) => update.mutate({ logo_base64: base64 }),
  })
  return (
    <Section
      title="Brand"
      about="On gates, notices, the viewer, mails and the picture of a link, with your name."
    >
      <div className="grid gap-2">
        <p className="text-13 font-medium">Logo</p>
        <div className="flex flex-wrap items-center gap-3">
          {account.logo !== null && (
            <img
              src={account.logo}
              alt="Your logo"
              className="h-12 max-w-48 rounded-control border border-line bg-(--plate) object-contain p-1.5"
            />
          )}
          <FileButton
            label={account.logo === null ? 'Add a logo' : 'Replace'}
            name={account.logo === null ? 'Add a logo' : 'Replace the logo'}
            icon={ImagePlus}
            accept="image/png,image/jpeg,image/webp"
            isSingle
            isDisabled={logo.isPending}
            onFiles={([file]) => file && logo.mutate(file)}
          />
          {account.logo !== null && (
            <Button
              icon={Trash2}
              aria-label="Remove the logo"
              onClick={() => update.mutate({ logo_base64: null })}
            >
              Remove
            </Button>
          )}
        </div>
        <Problem error={logo.error} />
        <Note>
          A PNG, JPEG or WebP. It is made smaller here, and in the dark it stands on light paper.
        </Note>
      </div>
      <AccentField
        value={account.accent}
        inherited={{ name: 'The server’s', accent }}
        help="Of your pages that have none of their own."
        onChange={(accent) => update.mutate({ accent })}
      />
    </Section>
  )
}

/** The height of a logo at three pixels for each of a screen's; width in proportion. */
const [MAX_WIDTH, MAX_HEIGHT] = [480, 96]
const KB = 1024

/**
 * A picture of any size as one that a logo may be. Drawn anew, it also loses where and with what
 * it was taken.
 */
async function smallPicture(file: File): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is no picture that this browser can read.`)
  })
  const scale = Math.min(1, MAX_WIDTH / image.width, MAX_HEIGHT / image.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(16, Math.round(image.width * scale))
  canvas.height = Math.max(16, Math.round(image.height * scale))
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  const png = canvas.toDataURL('image/png')
  // A photograph is smaller so.
  const url = png.length > 100 * KB ? canvas.toDataURL('image/jpeg', 0.85) : png
  return url.slice(url.indexOf(',') + 1)
}
