// denoc: the command line. Here is what can be asked; the answers are in one file for each command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "commands/commands.hpp"
#include "denoc/io/draft.hpp"
#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"
#include "denoc/version.hpp"

namespace denoc::app {
namespace {

constexpr const char* examples = R"(Examples:
  denoc info puma560                            a shipped robot: bodies, joints, modules
  denoc check robot.urdf                        every fault of a file at once
  denoc id puma560 --state state.json           joint forces for q, v, a
  denoc fd robot.urdf --state states.json --base free --json
                                                accelerations for q, v, tau
  denoc id puma560 --batch states.npy -o tau.npy
                                                the same for millions of states
  denoc assemble fourbar                        a posture that closes the loops
  denoc simulate run.yaml --out results         a motion from forces, over time
  denoc reproduce all --out pages               the documents' tables and figures, computed anew
  denoc compare puma560                         every method against every other
  denoc stability two_body_mata02 --sweep       which of them single precision spoils
  denoc count serial:6                          operations executed
  denoc study gripper --only N_l,N_d            the papers' matrices, written out
A state is {"q": [..], "v": [..], "a": [..]}, or a list of such; `denoc COMMAND --help` says more.
Exit status: 0 done, 2 command line wrong, 3 file wrong, 4 the numbers cannot be had, 5 result not written,
130 interrupted.)";

constexpr const char* state_format = R"(FILE holds one object, or an array of them (JSON or YAML; "-": standard input):
  {"q": [..], "v": [..], "a": [..], "tau": [..],
   "wrenches": [{"body": "link3", "moment": [..], "force": [..]}]}
of which it needs what the command needs; the order of q and v is in `denoc info MODEL`.)";

constexpr const char* scenario_format = R"yaml(A scenario, the least of it:
  robot: puma560                        a shipped name, or a file beside the scenario
  start: {q: {link2: -0.5}}             lists, or by joint; zero if left out
  duration: 2                           s
  integrator: {method: dopri5, rtol: 1e-8}
  output: {every: 0.01}                 s between rows of DIR/trajectory.csv
  control: {type: torques, tau: {link1: "2*sin(t)"}}
docs/scenario-files.md has every key.)yaml";

constexpr const char* batch_format =
    R"(A batch has a row for each state, in the order of `denoc info MODEL`: id q, v, a; fd q, v, tau.
NPY: (rows, columns), float64 or float32. CSV: commas between; a first line q1,..,v1,..,a1,.. may be there.)";

Vec3<double> gravity_of(const std::string& text) {
  std::vector<double> numbers;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const io::Number number = io::expression(rest.substr(0, comma));
    if (!number) throw Failure(Status::usage, fmt::format("denoc: --gravity {}: {}", text, number.rule));
    numbers.push_back(number.value);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  if (numbers.size() != 3) throw Failure(Status::usage, fmt::format("denoc: --gravity {}: three numbers x,y,z", text));
  return {numbers[0], numbers[1], numbers[2]};
}

// Everything the options write to, and the command that was chosen.
struct CommandLine {
  CLI::App app{"Dynamics of robots as trees of rigid bodies.", "denoc"};
  Session& session;
  StabilityOptions options = {};
  bool sweep = false, path = false;
  SimulateOptions simulation = {};
  ReproduceOptions reproduction = {};
  std::string method = {}, batch = {}, driven = {}, base = "fixed", gravity = {}, only = {};
  std::function<Status()> command = {};

  explicit CommandLine(Session& s) : session(s) {
    app.set_version_flag("--version", fmt::format("denoc {}", version), "the version");
    app.set_help_flag("-h,--help", "this help");
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::simple);
    app.footer(examples);
    CLI::App* inverse = of_states("id", "joint forces tau that give the accelerations a (inverse dynamics)", id);
    inverse->add_flag("--reactions", options.reactions, "also what every joint and the base carry");
    inverse->add_option("--driven", driven, "joints that are driven (with loops, a floating base); all by default")
        ->type_name("J1,J2");
    add_batch_options(inverse);
    add_batch_options(of_states("fd", "accelerations a that the joint forces tau give (forward dynamics)", fd));
    of_states("inertia", "inertia matrix I, its factors I = U D U^T, condition number", inertia);
    of_states("energy", "kinetic and potential energy, momentum", energy);
    add_assemble();
    of_robot("info", "bodies, joints, modules, frames and masses of a robot", info);
    of_robot("check", "every fault of a robot file at once, and warnings", check);
    add_count();
    add_trial("compare", "every method at many states: whether they agree within rounding",
              [this] { return compare(options, session); })
        ->add_option("--states", options.random, "how many at random; 100 by default")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N")
        ->excludes("--state");
    add_stability();
    add_trial("study", "the matrices of the papers, written out: complements, factors, modules",
              [this] { return study(options, only, session); })
        ->add_option("--only", only, "some of them: T,N_l or complements, elimination, modules, planar")
        ->type_name("NAMES");
    add_simulate();
    add_reproduce();
    add("methods", "the methods that --method knows", [this] {
      return methods(options.json, session);
    })->add_flag("--json", options.json, "JSON instead of a table");
  }

  io::Words names() const {
    io::Words words;
    for (const CLI::App* sub : app.get_subcommands(nullptr)) words.push_back(sub->get_name());
    return words;
  }

 private:
  CLI::App* add(const char* name, const char* what, std::function<Status()> run) {
    CLI::App* sub = app.add_subcommand(name, what);
    sub->add_option("-o,--output", session.output_file, "write the result to this file instead")->type_name("FILE");
    sub->callback([this, run = std::move(run)] { command = run; });
    return sub;
  }
  CLI::App* of_robot(const char* name, const char* what, Status (*run)(const RobotOptions&, Session&)) {
    CLI::App* sub = add(name, what, [this, run] { return run(options, session); });
    add_robot_options(sub);
    return sub;
  }
  CLI::App* of_states(const char* name, const char* what, Status (*run)(const StateOptions&, Session&)) {
    CLI::App* sub = add(name, what, [this, run] { return run(options, session); });
    add_robot_options(sub);
    sub->add_option("--state", options.states, "state or states to compute for")->required()->type_name("FILE");
    sub->add_option("--method", method, "see `denoc methods`")->type_name("NAME");
    sub->add_flag("--forces", options.forces, "springs, friction and end stops of the file act, too");
    sub->footer(state_format);
    return sub;
  }
  void add_assemble() {
    CLI::App* sub = add("assemble", "a posture that closes the loops of a robot, and other ways to close them",
                        [this] { return assemble(options, session); });
    add_robot_options(sub);
    sub->add_option("--state", options.states, "postures to start from; q = 0 by default")->type_name("FILE");
    sub->footer(state_format);
  }
  CLI::App* add_trial(const char* name, const char* what, std::function<Status()> run) {
    CLI::App* sub = add(name, what, std::move(run));
    add_robot_options(sub);
    sub->add_option("--state", options.states, "states to try, instead of random ones")->type_name("FILE");
    sub->footer(
        fmt::format("{}\nHere q is needed; v, a and tau are zero where they are missing.\n"
                    "MODEL may be a chain, too: serial:N or serial-rods:N.",
                    state_format));
    return sub;
  }
  void add_count() {
    CLI::App* sub = add("count", "operations executed, for a robot, serial:N or serial-rods:N",
                        [this] { return count(options, options.plot, session); });
    add_robot_options(sub);
    sub->add_option("--plot", options.plot, "of a chain: the operations against its length (SVG)")->type_name("FILE");
  }
  void add_stability() {
    CLI::App* sub = add_trial("stability", "float and double against long double: which method to trust", [this] {
      if (sweep || path) options.along = sweep ? Motion::sweep : Motion::path;
      if (!options.along && !options.plot.empty())
        throw Failure(Status::usage, "denoc stability: --plot needs --sweep or --path");
      return stability(options, session);
    });
    CLI::Option* turn =
        sub->add_flag("--sweep", sweep, "forward dynamics while the last joint turns once [Mata02 5.1]");
    sub->add_flag("--path", path, "forward dynamics while all joints go from 0 to pi [Mohan07 (38)]")->excludes(turn);
    sub->add_option("--plot", options.plot, "with these: the figure (SVG)")->type_name("FILE");
  }
  void add_simulate() {
    CLI::App* sub = add("simulate", "the motion that forces give, over time, to files in a folder",
                        [this] { return simulate(simulation, session); });
    sub->add_option("SCENARIO", simulation.scenario, "scenario file (YAML)")->required()->type_name("");
    add_folder(sub, simulation.folder, "folder of the results, made if it is not there");
    sub->add_flag("--plot", simulation.plot, "also figures (SVG): joints, rates, drives, energies, powers, the robot");
    sub->add_flag("--report", simulation.report, "also report.html, a page that tells the run");
    sub->add_flag("--animate", simulation.animate, "the page with the robot moving (and so --report)");
    sub->add_flag("--json", simulation.json, "the summary as JSON instead of tables");
    sub->footer(scenario_format);
  }
  void add_reproduce() {
    CLI::App* sub = add("reproduce", "tables and figures of the documents, computed anew, as Markdown with plots",
                        [this] { return reproduce(reproduction, session); });
    sub->add_option("DOCUMENT", reproduction.document, "saha97, mata02, mohan07, shah13, angeles7 or all")
        ->required()
        ->type_name("");
    add_folder(sub, reproduction.folder, "folder of the pages, made if it is not there");
  }
  static void add_folder(CLI::App* sub, std::string& folder, const char* what) {
    sub->add_option("--out", folder, what)->required()->type_name("DIR")->check([](const std::string& name) {
      return std::string(name.empty() ? "a folder needs a name" : "");
    });
  }
  // Instead of --state, and of whatever a batch does not know.
  void add_batch_options(CLI::App* sub) {
    CLI::Option* file =
        sub->add_option("--batch", batch, "states in rows, NPY or CSV; the result is the file of -o, .npy or .csv")
            ->type_name("FILE");
    file->needs(sub->get_option("--output"));
    sub->get_option("--state")->required(false);
    for (const char* other : {"--state", "--method", "--forces", "--reactions", "--driven", "--json"}) {
      if (CLI::Option* option = sub->get_option_no_throw(other)) file->excludes(option);
    }
    sub->add_option("--threads", options.threads, "of a batch; all that the machine has by default")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->needs(file);
    sub->add_flag("--float", options.in_float, "computes a batch in single precision")->needs(file);
    sub->add_flag("--keep-going", options.keep_going, "rows of a batch without a result are nan, and no failure")
        ->needs(file);
    sub->footer(fmt::format("{}\n{}", state_format, batch_format));
  }
  void add_robot_options(CLI::App* sub) {
    sub->add_option("MODEL", options.model, "robot file (URDF, YAML) or name of a shipped robot")
        ->required()
        ->type_name("");
    sub->add_option("--base", base, "how the root of a URDF is carried: fixed or free")
        ->check(CLI::IsMember({"fixed", "free"}))
        ->type_name("WORD");
    sub->add_option("--gravity", gravity, "instead of the file's, m/s^2")->type_name("X,Y,Z");
    sub->add_flag("--json", options.json, "JSON instead of tables");
  }
};

Status run(int argc, char** argv, Session& session) {
  CommandLine line(session);
  if (argc < 2) {
    throw Failure(Status::usage, "denoc: a command is needed",
                  {fmt::format("usage: denoc COMMAND ..., COMMAND one of {}", fmt::join(line.names(), ", ")),
                   "`denoc --help` says more."});
  }
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments[0] == "help") arguments[0] = "--help";
  const io::Words names = line.names();
  if (!arguments[0].starts_with('-') && std::find(names.begin(), names.end(), arguments[0]) == names.end()) {
    throw Failure(Status::usage, fmt::format("denoc: {}", io::unknown("command", arguments[0], names)));
  }
  try {
    std::reverse(arguments.begin(), arguments.end());
    line.app.parse(std::move(arguments));
  } catch (const CLI::CallForVersion&) {
    session.out = line.app.version() + "\n";
    return Status::done;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = line.app.get_subcommands();
    session.out = chosen.empty() ? line.app.help() : chosen.front()->help("denoc");
    if (!session.out.ends_with('\n')) session.out += '\n';
    return Status::done;
  } catch (const CLI::ParseError& error) {
    const auto chosen = line.app.get_subcommands();
    const std::string name = chosen.empty() ? "" : fmt::format(" {}", chosen.front()->get_name());
    throw Failure(Status::usage, fmt::format("denoc{}: {}", name, error.what()),
                  {fmt::format("`denoc{} --help` says more.", name)});
  }
  const CLI::App* chosen = line.app.get_subcommands().front();
  const auto given = [&](const char* name) {
    const CLI::Option* option = chosen->get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  };
  if (given("--batch")) {
    line.options.batch = line.batch;
  } else if (chosen->get_option_no_throw("--batch") != nullptr && !given("--state")) {
    throw Failure(Status::usage, fmt::format("denoc {}: --state or --batch is required", chosen->get_name()));
  }
  if (line.options.model == "-" && (line.options.states == "-" || line.options.batch == "-")) {
    throw Failure(Status::usage, "denoc: the robot and its states cannot both come from standard input");
  }
  if (given("--driven")) line.options.driven = line.driven;
  if (given("--method")) line.options.method = line.method;
  if (given("--gravity")) line.options.load.gravity = gravity_of(line.gravity);
  line.options.load.base = line.base == "free" ? Base::free : Base::fixed;
  return line.command();
}

// Whatever happens, one of the exit statuses, and a line that says why.
Status guarded_run(int argc, char** argv) {
  Session session;
  if (argc > 0) session.program = argv[0];
  const auto remarks = [&] {
    for (const std::string& remark : session.remarks) say(remark);
  };
  try {
    const Status status = run(argc, argv, session);
    if (status != Status::done) remarks();  // the faults that the command found come before anything else
    deliver(session);
    if (status == Status::done) remarks();
    return status;
  } catch (const Failure& failure) {
    say(failure.what());
    for (const std::string& line : failure.more) say(line);
    remarks();
    return failure.status;
  } catch (const RobotError& error) {
    say(error.what());
    return Status::file;
  } catch (const io::WriteError& error) {
    say(fmt::format("denoc: {}", error.what()));
    remarks();
    return Status::output;
  } catch (const std::bad_alloc&) {
    say("denoc: out of memory");
  } catch (const std::exception& error) {
    say(fmt::format("denoc: {}", error.what()));
  }
  return Status::numbers;
}

}  // namespace
}  // namespace denoc::app

int main(int argc, char** argv) {
  // A reader that has gone, or a file beyond the limit of sizes, is a result that could not be written.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  return static_cast<int>(denoc::app::guarded_run(argc, argv));
}
