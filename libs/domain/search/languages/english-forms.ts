// Each group is a base form, then its irregular forms. A stemmer cannot join them, because it only cuts endings.
const GROUPS =
  'arise arose arisen,awake awoke awoken,bear bore borne,beat beaten,become became,begin began begun,bend bent,' +
  'bind bound,bite bit bitten,bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built,' +
  'burn burnt,buy bought,catch caught,choose chose chosen,come came,creep crept,deal dealt,dig dug,' +
  'draw drew drawn,dream dreamt,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,' +
  'feel felt,fight fought,find found,flee fled,fly flew flown,forget forgot forgotten,forgive forgave forgiven,' +
  'freeze froze frozen,get got gotten,give gave given,go went gone,grow grew grown,hang hung,hear heard,' +
  'hide hid hidden,hold held,keep kept,know knew known,lay laid,lead led,learn learnt,leave left,lend lent,' +
  'lie lain,light lit,lose lost,make made,mean meant,meet met,pay paid,ride rode ridden,ring rang rung,' +
  'rise rose risen,run ran,say said,see saw seen,sell sold,send sent,shake shook shaken,shine shone,shoot shot,' +
  'show shown,shrink shrank,sing sang sung,sink sank sunk,sit sat,sleep slept,slide slid,speak spoke spoken,' +
  'spend spent,stand stood,steal stole stolen,stick stuck,strike struck,swear swore sworn,sweep swept,' +
  'swim swam swum,swing swung,take took taken,teach taught,tear tore torn,tell told,think thought,' +
  'throw threw thrown,understand understood,wake woke woken,wear wore worn,weave wove woven,win won,' +
  'write wrote written,child children,man men,woman women,foot feet,tooth teeth,mouse mice,person people,' +
  'wife wives,life lives,knife knives,leaf leaves,half halves';

/** The base form of each irregular English form: `went` → `go`. */
export const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  GROUPS.split(',').flatMap((group) => {
    const [base = '', ...forms] = group.split(' ');
    return forms.map((form): [string, string] => [form, base]);
  }),
);
