/** What the shop sells: 360 products in eight categories, from a seed. */
import { seeded } from '../../../shared/random.ts';
import { reference } from '../reference.ts';

export interface Category {
  readonly id: string;
  readonly name: string;
  /** The property that the category is chosen by, and its values. */
  readonly feature: string;
  readonly values: readonly string[];
  readonly sizes: readonly string[];
  readonly grams: readonly [number, number];
  readonly euros: readonly [number, number];
}

const BODY = ['S', 'M', 'L', 'XL'];
const ONE = ['One size'];

export const CATEGORIES: readonly Category[] = [
  {
    id: 'tents',
    name: 'Tents',
    feature: 'Sleeps',
    values: ['1 person', '2 persons', '3 persons', '4 persons'],
    sizes: ONE,
    grams: [1100, 4200],
    euros: [120, 690],
  },
  {
    id: 'sleeping-bags',
    name: 'Sleeping bags',
    feature: 'Comfort',
    values: ['12 °C', '5 °C', '-2 °C', '-9 °C'],
    sizes: ['Regular', 'Long'],
    grams: [550, 1900],
    euros: [60, 420],
  },
  {
    id: 'rucksacks',
    name: 'Rucksacks',
    feature: 'Volume',
    values: ['20 litres', '35 litres', '50 litres', '65 litres'],
    sizes: ONE,
    grams: [480, 2300],
    euros: [45, 310],
  },
  {
    id: 'jackets',
    name: 'Jackets',
    feature: 'Protects from',
    values: ['wind', 'showers', 'heavy rain', 'snow'],
    sizes: BODY,
    grams: [240, 900],
    euros: [70, 450],
  },
  {
    id: 'boots',
    name: 'Boots',
    feature: 'Ground',
    values: ['paths', 'forest', 'rock', 'ice'],
    sizes: ['39', '40', '41', '42', '43', '44'],
    grams: [700, 1800],
    euros: [80, 330],
  },
  {
    id: 'stoves',
    name: 'Stoves',
    feature: 'Fuel',
    values: ['gas', 'spirit', 'petrol', 'wood'],
    sizes: ONE,
    grams: [80, 950],
    euros: [25, 190],
  },
  {
    id: 'lamps',
    name: 'Lamps',
    feature: 'Light',
    values: ['100 lumens', '250 lumens', '400 lumens', '800 lumens'],
    sizes: ONE,
    grams: [35, 420],
    euros: [15, 130],
  },
  {
    id: 'bottles',
    name: 'Bottles',
    feature: 'Holds',
    values: ['0.5 litres', '0.75 litres', '1 litre', '1.5 litres'],
    sizes: ONE,
    grams: [90, 520],
    euros: [9, 60],
  },
];

const BRANDS = ['Aldern', 'Birkfell', 'Corrie', 'Dunmoor', 'Eskdale', 'Fjordby'];
const MODELS = [
  'Heron',
  'Lynx',
  'Marten',
  'Otter',
  'Plover',
  'Raven',
  'Stoat',
  'Tern',
  'Viper',
  'Wren',
  'Badger',
  'Curlew',
  'Dipper',
  'Ermine',
  'Falcon',
  'Grebe',
];
const EDITIONS = ['', ' Light', ' Pro', ' Trek'];
export const COLOURS = ['black', 'blue', 'brown', 'green', 'grey', 'orange', 'red', 'yellow'];

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly brand: string;
  readonly category: Category;
  readonly cents: number;
  readonly grams: number;
  /** Out of five, in tenths. */
  readonly rating: number;
  readonly feature: string;
  readonly colours: readonly string[];
  /** Pieces on the shelf, by `colour/size`. */
  readonly stock: ReadonlyMap<string, number>;
  /** By `colour/size`: the notice that says that no more will come. */
  readonly withdrawn: ReadonlyMap<string, string>;
}

export interface Line {
  readonly product: string;
  readonly colour: string;
  readonly size: string;
  readonly quantity: number;
}

const PER_CATEGORY = 45;
const SEED = 1017;

export function makeProducts(): Map<string, Product> {
  const random = seeded(SEED);
  const products = new Map<string, Product>();
  for (const category of CATEGORIES) {
    const names = random.shuffle(
      BRANDS.flatMap((brand) =>
        MODELS.flatMap((model) => EDITIONS.map((edition) => ({ brand, name: `${brand} ${model}${edition}` }))),
      ),
    );
    for (const { brand, name } of names.slice(0, PER_CATEGORY)) {
      const id = `${category.id}-${name.toLowerCase().replaceAll(' ', '-')}`;
      const colours = random.some(COLOURS, random.int(2, 4));
      const stock = new Map<string, number>();
      const withdrawn = new Map<string, string>();
      for (const colour of colours) {
        for (const size of category.sizes) {
          const pieces = random.int(0, 9) < 3 ? 0 : random.int(1, 14);
          stock.set(`${colour}/${size}`, pieces);
          if (pieces === 0 && random.int(0, 2) === 0)
            withdrawn.set(`${colour}/${size}`, `W-${reference('withdrawn', [id, colour, size]).slice(0, 5)}`);
        }
      }
      products.set(id, {
        id,
        name,
        brand,
        category,
        cents: random.int(...category.euros) * 100 + random.pick([0, 50, 90, 95]),
        grams: Math.round(random.int(...category.grams) / 10) * 10,
        rating: random.int(28, 50),
        feature: random.pick(category.values),
        colours,
        stock,
        withdrawn,
      });
    }
  }
  return products;
}

export const euros = (cents: number): string => `EUR ${(cents / 100).toFixed(2)}`;

/** The voucher that the page of offers names, and how much it takes off. */
export const VOUCHER = { code: 'LANTERN8', percent: 8 } as const;
