/**
 * Stands in for what a model learns from text: words of the same meaning share a line, and lines about the same subject
 * share a topic. Each word occurs once; its other forms are found by their stem.
 */
export const VOCABULARY: Readonly<Record<string, string>> = {
  work: `
    job position role post vacancy occupation
    work labour toil effort
    hire recruit employ engage
    seek look search want need require wish
    employee staff personnel worker workforce colleague
    manager boss supervisor chief head director leader executive
    candidate applicant jobseeker talent
    experience seasoned senior veteran expertise
    skill ability competence qualification proficiency
    salary pay wage earnings remuneration compensation
    resign quit retire
    dismiss fire sack layoff redundancy unemployed unemployment
    promote promotion advance advancement
    engineer developer programmer coder
    accounting accountant bookkeeper bookkeeping auditor audit
    remote telework
    interview questioning
    resume cv curriculum vitae
    apply application request
    meeting conference appointment gathering session
    schedule reschedule postpone calendar plan intend intention
    team crew squad group
    marketing advertising publicity campaign
    holiday vacation leave
    internship trainee apprentice apprenticeship intern
    retirement pension pensioner
    career profession vocation trade
    freelancer contractor consultant
    department division unit
    deadline due
    strike union
    onboarding orientation
    reference referral
    bonus perk benefit incentive
    fulltime
    secretary assistant receptionist
    plumber electrician carpenter builder mechanic technician
    waiter waitress bartender chef
    driver chauffeur
    farmer peasant
    journalist reporter editor
    soldier troop army military
    pilot captain`,
  business: `
    company business firm enterprise corporation organisation organization startup
    found establish launch start begin create
    customer client buyer consumer shopper
    sell sale vendor
    buy purchase acquire acquisition
    shop store market supermarket retailer
    product item goods merchandise article
    contract agreement deal treaty
    order delivery deliver shipment
    package parcel packet
    support help assist assistance aid helpdesk
    subscription membership subscriber member
    cancel terminate discontinue
    offer provide supply
    factory plant mill
    return refund reimburse reimbursement
    brand label
    competitor rival
    partner ally partnership
    merger takeover
    bankrupt insolvent bankruptcy
    warehouse depot storage
    export import
    advert poster
    complaint complain grievance dissatisfied
    warranty guarantee
    discount bargain reduction coupon
    queue
    visitor guest
    industry manufacturing manufacture production produce`,
  money: `
    money cash fund currency
    price cost fee charge expense rate tariff
    expensive costly dear pricey
    cheap inexpensive affordable economical
    bill invoice statement
    tax duty levy
    bank lender creditor
    loan credit mortgage debt borrow
    profit gain revenue income turnover
    invest investment share stock shareholder
    save saving thrift
    rich wealthy affluent prosperous
    poor needy impoverished
    budget finance financial
    coin banknote
    inflation
    afford
    insurance insure premium
    rent lease tenant landlord
    donate donation charity
    inherit inheritance heir legacy bequeath
    owe owing overdue
    tip gratuity
    dollar euro pound`,
  change: `
    rise increase grow growth climb surge raise soar
    fall decrease decline drop shrink reduce cut lower lessen
    change alter modify adapt adjust
    improve improvement enhance
    worsen deteriorate
    fix repair mend restore patch
    break damage destroy ruin wreck destruction
    stop end finish cease halt conclude
    continue proceed persist
    replace substitute exchange swap
    expand extend widen enlarge
    compress narrow
    transform convert
    vary fluctuate
    stable steady constant
    turn rotate spin
    remove delete erase
    add append insert include
    join unite merge combine connect
    separate split divide divorce
    leak drip
    collapse crumble`,
  computing: `
    software program programme app
    computer machine laptop pc
    server backend host hosting
    frontend interface ui
    database dataset data datum record
    file document paper
    update upgrade release version
    crash outage failure downtime
    bug error defect fault
    security vulnerability exploit breach
    password login passphrase credential signin
    encrypt cipher decrypt
    reset
    network internet web online website
    phone mobile smartphone telephone cellphone
    battery accumulator charger
    algorithm
    ai artificial intelligence learning model
    code script source
    email mail message letter inbox
    send forward transmit dispatch
    backup archive
    cloud
    wifi wireless broadband connection
    page homepage
    click tap press
    screen monitor
    keyboard typewriter
    printer print toner
    download upload
    robot automation automate automatic
    virus malware
    gadget device appliance
    video clip
    chat
    call ring dial
    camera
    spreadsheet table chart
    deploy deployment`,
  time: `
    day daytime
    night evening overnight
    morning dawn sunrise
    afternoon lunch noon midday
    week weekend weekly
    monday tuesday wednesday thursday friday saturday sunday
    month monthly
    year annual yearly
    hour minute second
    early soon
    late delay behind belated tardy
    new fresh latest recent recently modern
    old ancient historic elderly aged former
    always constantly forever
    again repeat
    fast quick quickly rapid rapidly swift speedy
    slow slowly gentle gradual
    winter cold cool chilly frost freeze
    summer hot warm heat
    spring autumn
    today nowadays
    moment instant while
    ago previously formerly
    later afterwards
    finally eventually
    ever never
    sometimes occasionally
    daily everyday
    january february march april june july august september october november december
    expire expiry`,
  travel: `
    flight plane aircraft airplane fly flying airline aviation
    airport terminal runway
    train railway rail tram
    car automobile vehicle motor
    bicycle bike cycle cyclist
    road street lane avenue highway
    traffic jam congestion
    park parking
    travel journey trip tour voyage
    hotel hostel lodging accommodation
    passenger traveller
    walk hike stroll walker hiker pedestrian
    cross traverse
    arrive arrival reach
    depart departure
    fuel petrol gasoline diesel
    astray stray
    ticket fare
    ship boat vessel ferry
    garage workshop
    passport visa
    luggage suitcase baggage bag
    map route direction path way
    station platform
    bus
    taxi cab
    signal light
    left
    right
    drive ride
    tyre wheel
    accident collision
    tourist sightseeing
    abroad overseas foreign
    border customs
    camp tent camping
    ski skiing slope snowboard
    spaceship rocket spacecraft satellite
    astronaut space orbit mars planet`,
  health: `
    doctor physician surgeon medic
    nurse caregiver
    hospital clinic
    disease illness sickness ailment infection
    healthy health wellbeing fitness fit
    medicine drug medication remedy pill
    vaccine immunisation immunization inoculation vaccination
    pain ache hurt sore
    body
    tooth dental dentist
    smoke smoking cigarette tobacco
    exercise workout sport gym
    sleep rest nap asleep
    injury wound
    patient
    allergy allergic intolerance
    ill sick unwell
    leg arm limb knee
    finger thumb
    face eye ear nose mouth
    bone fracture skeleton
    heart blood
    skin
    brain mind
    fever cough flu
    cancer tumour
    surgery operation
    pregnant pregnancy birth born
    die death dead deceased kill
    diet slim
    wash clean rinse wipe scrub
    dirty filthy stain
    tired exhausted weary fatigue
    stress anxiety worry anxious
    therapy treatment cure heal treat
    deaf hear listen
    blind see
    breathe breath lung
    weight obese overweight
    alcohol beer wine drunk`,
  food: `
    food meal dish cuisine
    eat dine consume feed
    drink beverage sip
    restaurant diner bistro eatery cafe
    cook bake roast fry boil recipe
    meat beef pork chicken vegetarian vegan
    sugar sweet candy sweets dessert
    delicious tasty flavour taste
    bread bakery loaf flour croissant
    fruit apple
    vegetable tomato
    salt pepper spice
    coffee tea
    soup stew rice
    nut peanut almond
    garlic onion
    kettle pot pan
    breakfast dinner supper
    cheese milk butter cream
    egg
    cake biscuit chocolate
    hungry hunger starve
    plate bowl glass
    fork knife spoon
    ripe
    potato carrot bean`,
  people: `
    child kid infant baby toddler youngster
    adult grownup
    man gentleman male
    woman lady female
    people person human user
    parent mother father family relative
    friend companion pal
    neighbour resident inhabitant
    cry weep sob
    laugh smile
    afraid scared fear frighten scare terrified
    happy glad joyful pleased
    sad unhappy sorrowful
    angry furious mad
    love adore
    hate detest
    praise thank compliment applaud
    marry wedding spouse
    boy lad
    girl
    son daughter
    brother sister sibling
    uncle aunt cousin
    grandmother grandfather grandparent
    husband wife
    bride groom marriage
    birthday anniversary
    party celebrate celebration
    king queen royal prince
    crowd crowded packed
    young youth teenager
    stranger
    name
    hide conceal
    lie deceive
    argue quarrel dispute
    fight battle war
    hug kiss
    proud
    jealous envy
    surprise astonish amaze
    calm quiet silent silence
    loud noise noisy
    remember recall
    forget
    believe trust
    hope
    think consider suppose
    expect anticipate
    like enjoy`,
  learning: `
    student pupil learner
    teacher tutor instructor professor lecturer
    school college university academy
    learn study
    teach training educate coach
    essay assignment homework
    exam test quiz
    problem difficulty trouble issue
    explain clarify describe
    book novel title volume
    read reading
    write author
    history past
    language tongue linguistic
    speak talk say converse
    fluent excellent
    submit hand
    scientist researcher
    science research
    discover find detect discovery
    unknown unfamiliar
    know understand knowledge
    library
    mathematics arithmetic algebra
    physics chemistry biology
    classroom lesson lecture course
    grade mark
    graduate degree diploma
    translate translation
    word phrase sentence
    poem poet poetry verse
    story tale
    newspaper magazine
    dictionary
    idea thought concept
    meaning mean
    experiment laboratory
    theory
    invent invention inventor
    true truth genuine
    false fake untrue`,
  law: `
    law legislation statute regulation
    lawyer attorney solicitor
    court judge tribunal hearing
    government minister ministry administration cabinet
    vote election elect voter ballot
    forbid prohibit ban disallow illegal
    allow permit permission
    protect guard defend safeguard shield prevent
    privacy private personal confidential
    police officer
    steal theft thief rob robber burglar
    crime criminal offence
    prison jail
    reject refuse deny
    accept approve
    must obligation compulsory
    witness testimony testify
    guilty
    innocent
    evidence proof prove
    murder homicide
    punish punishment penalty
    president premier chancellor
    parliament congress senate senator
    mayor
    citizen citizenship
    rule
    sign signature
    spy
    weapon gun rifle
    peace
    attack assault`,
  nature: `
    rain downpour shower rainfall drizzle
    flood deluge
    water hydrate thirst
    storm thunderstorm hurricane gale
    wind breeze
    fog mist haze
    snow ice glacier
    sun solar sunshine sunlight
    energy power electricity electric
    flame blaze burn burning
    river stream lake
    sea ocean coast beach
    mountain hill peak
    forest wood tree
    flower blossom garden
    animal beast creature wildlife
    bird fowl penguin
    frog amphibian toad
    dog puppy hound
    cat kitten
    fish
    species breed
    south southern
    north northern
    island
    land country
    climate weather temperature
    air
    emission carbon greenhouse pollution pollute
    earthquake
    volcano erupt eruption
    desert
    moon star
    sky
    grass lawn
    leaf branch
    seed
    horse pony
    cow cattle sheep
    pig
    lion tiger
    mouse rat
    insect bee ant
    whale dolphin
    snake
    prey hunt hunter
    rock stone
    sand
    dark darkness
    bright
    wet damp moist
    dry
    dust
    east eastern west western`,
  place: `
    house home dwelling residence
    town city village centre center downtown
    flat apartment
    room bedroom kitchen
    building tower
    place spot location site
    museum gallery
    church cathedral
    bridge
    farm barn
    sofa couch armchair
    chair bench seat
    desk
    bed mattress pillow
    door gate
    window curtain
    wall fence
    roof ceiling
    floor ground
    stair staircase elevator escalator
    bathroom toilet bath sink pipe
    lamp bulb
    furniture
    key
    castle palace
    office workplace
    yard terrace balcony
    countryside rural
    neighbourhood district suburb`,
  arts: `
    film movie cinema picture
    painting artwork canvas
    art artist
    music song melody orchestra
    actor actress
    theatre ballet opera
    boring dull tedious
    funny amusing comic
    interesting exciting fascinating
    dance
    photograph photo
    concert gig performance perform performer
    singer sing choir
    guitar piano violin
    drum
    draw sketch drawing
    sculpture statue sculptor
    audience spectator
    stage
    exhibition
    television tv broadcast
    radio
    comedy
    tragedy`,
  sport: `
    match game fixture
    win victory triumph
    lose defeat
    championship final tournament cup
    player athlete
    overtime
    score goal
    football soccer
    swim pool swimmer
    run runner marathon jog
    race
    tennis
    ball
    stadium arena
    medal champion`,
  measure: `
    big large huge great enormous giant
    small little tiny minor
    many lot numerous several plenty
    few fewer scarce
    long lengthy
    short brief
    good fine nice
    bad terrible awful dreadful harmful
    hard tough demanding
    easy simple effortless
    strong powerful
    weak feeble
    dangerous serious hazardous perilous severe
    heavy thick dense
    missing absent
    choose select pick
    recommend suggest advise advice
    show display exhibit
    open unlock
    close shut lock
    answer reply respond response
    ask question enquire inquire
    keep hold retain
    move relocate shift transfer
    twice two double
    competitive attractive
    million thousand hundred
    one single sole
    full whole entire complete
    empty vacant
    high tall
    wide broad
    near nearby
    far distant
    same identical equal similar
    different unlike distinct
    important significant crucial vital essential
    useful helpful handy
    beautiful pretty lovely gorgeous
    clever smart intelligent
    stupid foolish silly
    safe secure
    risk danger threat threaten
    certain sure definite
    maybe perhaps possibly
    push pull
    throw toss
    catch grab
    carry bring fetch
    wait await
    stay remain
    meet encounter
    try attempt
    succeed success successful
    happen occur
    cause reason
    result outcome consequence effect
    view watch`,
  clothes: `
    jacket coat
    trouser jeans pants
    shirt blouse
    dress skirt
    shoe boot shoelace sandal
    hat cap
    tailor sew knit
    wear clothing garment outfit
    jewel jewellery necklace
    fashion`,
  country: `
    britain british england english london
    france french paris
    germany german berlin
    italy italian rome
    spain spanish madrid
    europe european
    america american usa washington
    china chinese beijing
    japan japanese tokyo
    india indian delhi
    russia russian moscow
    africa african
    asia asian
    state nation
    continent
    capital
    flag
    population`,
}
