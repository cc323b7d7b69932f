import type { Page } from '../../model/page/index.ts'
import { words } from '../../model/reserved-names.ts'
import type { Participant, Viewer } from '../../model/viewer.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Secrets } from '../../platform/secrets.ts'

/** A viewer is identified by a confirmed address, or else by the random id of the browser. */
type ViewerIdentity = { email: string } | { device: string }

/** A verified participant of a page's conversations. */
interface ParticipantFacts {
  isOwner: boolean
  /** Proved addresses; the one that names the participant is first. */
  emails: readonly string[]
  /** The random id of the browser. */
  device: string
}

export type Viewers = ReturnType<typeof createViewers>

export function createViewers({ secrets }: { secrets: Secrets }) {
  const emailKey = ({ id }: Page, email: string) => secrets.sign('viewer', id, 'email', email)

  /** A browser on one page. */
  function browserOf({ id }: Page, device: string) {
    const key = secrets.sign('viewer', id, 'device', device)
    return { key, alias: aliasOf(key) }
  }

  return {
    viewerOf(page: Page, identity: ViewerIdentity): Viewer {
      if ('email' in identity) {
        const { email } = identity
        return { key: emailKey(page, email), email, displayName: displayEmail(email) }
      }
      const { key, alias } = browserOf(page, identity.device)
      return { key, email: null, displayName: alias }
    },
    participantOf(page: Page, { isOwner, emails, device }: ParticipantFacts): Participant {
      const browser = browserOf(page, device)
      const { key: deviceKey } = browser
      const email = emails[0] ?? null
      if (email === null) {
        return { kind: isOwner ? 'owner' : 'anonymous', email, emails, deviceKey, ...browser }
      }
      const key = emailKey(page, email)
      const kind = isOwner ? 'owner' : 'confirmed'
      return { kind, email, emails, key, deviceKey, alias: aliasOf(key) }
    },
  }
}

/** Only friendly words, since a viewer may see any of them as their name. */
const ADJECTIVES = words(`
  Agile Airy Alpine Amber Amiable Apricot Aqua Arctic Autumn Azure Balmy Beige Birchen Blithe Blue
  Bold Breezy Bright Brisk Bronze Calm Candid Caramel Carmine Cedar Celeste Cerise Cerulean
  Cheerful Chestnut Cinnamon Citrine Civil Clear Clever Cloudy Cobalt Copper Coral Cordial Cosmic
  Cosy Cream Crimson Crisp Curious Daring Dewy Eager Early Elegant Emerald Fabled Fair
  Fawn Fern Festive Floral Forest Frank Fresh Friendly Frosty Garnet Genial Gentle
  Gilded Ginger Glad Glossy Golden Graceful Grand Granite Green Happy Hardy Hazel Heather Helpful
  Hickory Honest Honey Humble Icy Indigo Iris Ivory Jade Jasper Jolly Jovial Joyful Kind Lapis
  Lavender Lemon Lilac Lively Lofty Loyal Lucid Lucky Lunar Magenta Mahogany Maple Marble Maroon
  Mauve Mellow Merry Mild Mindful Mint Misty Modest Mossy Mustard Neat Nimble Noble Oaken Ochre
  Olive Opal Orange Orchid Patient Peach Pearl Peppy Pine Placid Plucky Plum Polar Polite
  Prairie Prompt Purple Quick Quiet Radiant Ready Robust Rosy Ruby Russet Saffron Sage Sandy
  Sapphire Scarlet Sepia Serene Shiny Sienna Silent Silver Sincere Sky Smooth Snowy Solar
  Spring Starry Steady Sterling Stellar Summer Sunny Swift Tawny Teal Tender Thoughtful Tidal Tidy
  Topaz Tranquil Trusty Turquoise Umber Upbeat Velvet Verdant Vernal Violet Vivid Warm Wheaten
  Winter Wise Witty Woodland Zesty`)
const NOUNS = words(`
  Acacia Albatross Alder Alpaca Anemone Antelope Apple Armadillo Ash Aspen Aster Avocet Badger
  Bamboo Barbet Basil Bear Beech Begonia Birch Bison Bittern Bluebell Bobolink
  Bunting Buttercup Butterfly Camellia Canary Capybara Cardinal Caribou Cassowary Catalpa
  Chaffinch Chamois Cheetah Cherry Chickadee Chinchilla Chipmunk Clover Coati Condor Coot
  Cormorant Corncrake Cosmos Cowslip Crane Cricket Crocus Curlew Cypress Daffodil Dahlia Daisy
  Deer Dipper Dolphin Dormouse Dove Dragonfly Duck Dunlin Dunnock Eagle Egret Eider Elder Elk Elm
  Emu Ermine Falcon Feverfew Fig Finch Fir Firefly Flamingo Flycatcher Foxglove Freesia Fulmar
  Gannet Gardenia Gazelle Gecko Gentian Geranium Gerbil Giraffe Goldcrest Goldfinch Goshawk
  Grebe Grosbeak Grouse Guillemot Hamster Hare Harrier Hawthorn Hedgehog Heron Hibiscus Hollyhock
  Hoopoe Hornbeam Hyacinth Hydrangea Ibex Ibis Iguana Impala Jackdaw Jaguar Jasmine Jay Juniper
  Kestrel Kingfisher Kinglet Kite Kittiwake Kiwi Koala Kudu Lapwing Larch Lark Lemming Lemur
  Leopard Lily Linden Linnet Llama Lobelia Lotus Lupin Lynx Macaw Magnolia Magpie Mallard Manatee
  Marigold Marlin Marmot Marten Martin Meerkat Merlin Mimosa Mongoose Moorhen Moose
  Myrtle Narcissus Narwhal Newt Nightingale Nuthatch Oak Ocelot Okapi Oleander Oriole
  Osprey Otter Owl Panda Pansy Parrot Partridge Peacock Pelican Penguin Peony Petrel Petunia
  Pheasant Pika Pintail Pipit Platypus Plover Pony Poplar Poppy Porpoise Primrose Puffin Quail
  Quetzal Quokka Rabbit Raccoon Raven Redstart Reindeer Robin Rowan Salmon Sandpiper Seal Sequoia
  Shearwater Siskin Skylark Snowdrop Sparrow Spruce Squirrel Starling Stork Sunflower
  Swallow Swan Sycamore Tapir Tern Thistle Thrush Toucan Tulip Turtle Verbena Viola Vole
  Wagtail Wallaby Walnut Warbler Waxwing Wheatear Whimbrel Willow Wisteria Wombat Wren Yarrow`)

/**
 * The label of a viewer without a confirmed address, such as `Amber Heron`. A key always has the
 * same alias; two viewers may share one.
 *
 * @param key a signature in base64url, so that its bytes are evenly distributed
 */
export function aliasOf(key: string): string {
  const bytes = Buffer.from(key, 'base64url')
  const [first, second] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  return `${ADJECTIVES[first % ADJECTIVES.length]} ${NOUNS[second % NOUNS.length]}`
}
