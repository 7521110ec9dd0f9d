import type { Words } from '../context-words.js';

export const PHONE_WORDS: Words = {
  exact: `phone|phones|cell|call|calling|fax|faks|whatsapp|signal|sms|text|text me|reach me|ring|dial|tel|tél|tlf|
mobile|mobil|mobiel|movil|mob|gsm|handy|portable|rufnummer|durchwahl|fon|fono|telp|celular|komórka|komórkowy|numer kontaktowy|
appelez|appeler|joindre|llame|llamar|llamen|chiamare|chiamate|chiama|bellen|bel|gebeld|ligue|liga|ligar|ligue me|anrufen|anruf|
rückruf|ruf|zadzwoń|dzwonić|ringa|ring mig|callback|hotline|pager|contact no|contact number|nummer lautet|my number|
her number|his number|their number|number is|new number|il numero|chiamare il numero|numéro|called|calls|called from|landline|voicemail|switchboard|dialled|dialed|contact|phoned|rang|reachable|reach her|reach him|reach us|
reach them|text her|text him|appelle|appelez moi|llámame|llama|ligar para|dzwoń|ring oss`,
  stems: `caller|callee|msisdn|telef|teléf|téléph|telep|telf|cellphone|cellul|celul|mobiln|mobilt|mobielt|telem|handynr|handynu|rückrufn|puhelin|
matkapuhelin|phone n|phonen|faxn|kontaktn|kontaktt`,
  anywhere: `電話|携帯|連絡先|手机|电话|手機|联系方式|전화|휴대폰|연락처|फ़ोन|फोन|मोबाइल|هاتف|جوال|موبايل|телефон|моб.|móvil|móveis|τηλ`,
};

/** Words that name a phone, and no verbs. */
export const PHONE_NAMES: Words = {
  exact: `phone|phones|tel|tél|tlf|mobile|mobil|mobiel|movil|mob|cell|gsm|fax|handy|whatsapp|sms|celular|fon|fono`,
  stems: `telef|teléf|téléph|telep|cellul|celul|cellph|telem|mobiln|mobilt|phonen|phone n|handyn|faxn|matkap|puhelin|rückruf|rufnum|
komórk|callback`,
  anywhere: `電話|携帯|手机|电话|手機|전화|휴대|फ़ोन|फोन|मोबाइल|هاتف|جوال|телефон|móvil`,
};

export const CARD_WORDS: Words = {
  exact: `card|cards|credit|debit|visa|master card|mastercard|amex|american express|maestro|pan|cc|ccnum|kort|carta`,
  stems: `kreditk|karte|carte|tarjeta|cartão|cartao|kart|betaalpas|luottok|creditcard|kredit|kaart`,
  anywhere: `カード|信用卡|银行卡|카드|بطاقة|карт|कार्ड`,
};

export const ID_WORDS: Words = {
  exact: `national id|national identity|id card|id no|id nr|id number|identity no|personal number|personal id|personal code|
tax id|tax no|tax number|tax file|taxpayer|tin|vat id|insurance number|insurance no|social insurance|sin|nhs|nino|
national insurance|dni|nie|nif|cif|niss|nrn|insz|bsn|sofi|cpf|c p f|cnp|egn|oib|pps|ppsn|cpr|rut|curp|rfc|tfn|tc|tckn|
ahv|avs|idnr|svnr|pesel|c.f|cf|no ss|n ss|nir|ss|hetu|rrn|amka|afm|jmbg|emso|uidai|pan no|
numero de identidad|número de identidad|documento de identidad|numéro national|cédula|cedula`,
  stems: `n° ss|sécu|identity|identif|identit|citizen|steuer|personalausweis|sozialvers|versichertenn|versicherungsn|burgerserv|rijksreg|
sociale zek|sécurité soc|securite soc|personnum|personnr|personn|fødsel|födelse|henkilöt|contribu|fiscal|codice fisc|kimlik|vatandas|vatandaş|
aadhaar|aadhar|adhaar|rodné|rodne|osobn|isikukood|asmens|personas kod|adószám|szemelyi|személyi|numer ident|ausweisn|medicare`,
  anywhere: `マイナンバー|個人番号|身份证|身分證|公民身份|居民身份|주민등록|주민번호|आधार|الهوية|инн|снилс|número de contribuinte`,
};

export const BIRTH_WORDS: Words = {
  exact: `dob|d o b|d.o.b|date of birth|day of birth|year of birth|born|bday|b day|ne le|nee le|nato|nata|nasc|nasci|nasceu|fdn|geb|f.nac|fecha nac|data nasc|born on|ddn|född|født|ur.|synt|syntymä`,
  stems: `née|né le|birth|dateofbirth|cumplea|anivers|annivers|compleann|verjaard|geburt|geboren|geboort|naissanc|naiss|nacimien|nacid|nació|nacio|nascit|nascim|nascid|nasciment|
urodz|urodzen|födels|fødsel|fødd|syntym|syntynyt|doğum|dogum|doğdu|narozen|születé|născut|rojstv|rođen`,
  anywhere: `生年月日|誕生日|生まれ|出生|生日|생년월일|생일|जन्म|تاريخ الميلاد|الميلاد|рожден|родил|γέννηση`,
};

export const ADDRESS_WORDS: Words = {
  exact: `addr|address is|street|home|house|flat|apartment|i live|she lives|he lives|they live|we live|live at|lives at|live on|lives on|
live in|lives in|lives now at|lives now in|living at|living in|living on|home is|send it to|send to|goes to|is at|pick up at|collect from|
drop off|rue|calle|straße|strasse|chez|dom|bor på|bor i|bor|mora|moro|vivo|vive|vivimos|abita|abito|reside|woon|woont|wonen|
mieszka|mieszkam|zamieszkały|zamieszkała|oturuyor|asuu|casa|apartment|property|premises|landlord|tenant|parcel|package|courier|located at|location|visit|resident|haus|paket|
wohnung|mieter|gemeldet|zugestellt|colis|chez moi|sis|situé|demeurant|appartement|sito|sita|portal|paquete|vivienda|pacco|
abitazione|citofono|huis|thuis|pakket|hem|hus|lägenhet|plz|zip|zip code|postcode|maps`,
  stems: `address|adress|adres|anschrift|lieferung|liefer|moved|moving|resid|résid|ship|deliver|livr|mailed|mailing|wohn|habit|domicil|
dirección|direccion|indirizz|endereç|enderec|morada|entreg|vecin|besorg|verhui|bezorg|osoite|hämtas|levereras|leveres|umzug|ziehen|zieht|
przeprow|dostaw|teslim|logement|déménag|consegn|spedi|mud|recog|ubicad|situad|empadron|inquilin|alquil|arrend|paczk|lokal|zamieszk|envío|enviar|envia`,
  anywhere: `住所|宛先|お届け|配送|居住|住んで|地址|住址|住在|搬到|寄到|送到|주소|배송|거주|पता|पते|عنوان|адрес|проживает|διεύθυνση`,
};

export const PASSPORT_WORDS: Words = {
  exact: `pass nr|pass no|passnr|pass nummer|pasnr|travel document|pass|ppt no`,
  stems: `passport|reisepass|passnum|passeport|pasaporte|passaport|paszport|paspoort|pasport|pasaport|passinum|reisedok|útlevél`,
  anywhere: `パスポート|旅券|护照|護照|여권|جواز|पासपोर्ट|паспорт|διαβατήριο`,
};
